package dev.warmup.actuate;

import java.util.List;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.warmup.gateway.Fleet;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/warmup} on a gateway: which instances were warmed through it, and how
 * warm it is.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
record GatewayWarmupEndpoint(Instance.Source instance, Fleet fleet, Gate gate, Supplier<IdleSchedule.Status> idle) {

	@ReadOperation
	public Status status() {
		Instance self = this.instance.get();
		return new Status(new WarmupEndpoint.Status(self.service(), self.instanceId(), this.fleet.phase(),
				this.fleet.since(), this.gate.position(), this.fleet.runs(), this.idle.get()), this.fleet.entries());
	}

	/**
	 * How warm the gateway and its instances are.
	 *
	 * @param own the status of the gateway itself, by the runs that went through it;
	 * without discovery there is no service to request another from
	 * @param fleet every instance that was warmed through it
	 */
	public record Status(@JsonUnwrapped WarmupEndpoint.Status own,
			List<Fleet.Entry> fleet) implements OperationResponseBody {

		public Status {
			fleet = List.copyOf(fleet);
		}

	}

}
