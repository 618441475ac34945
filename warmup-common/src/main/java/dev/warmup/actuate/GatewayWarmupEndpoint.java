package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.gateway.Fleet;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/warmup} on a gateway: what it last read of each instance, and whether
 * it is itself open to users.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
record GatewayWarmupEndpoint(OwnState state, Gate gate, Fleet fleet) {

	@ReadOperation
	public Status status() {
		return new Status(this.state.instance().service(), this.state.instance().instanceId(), this.state.phase(),
				this.state.since(), this.gate.position(), this.state.run(), this.fleet.entries());
	}

	/** How warm the gateway, its own endpoints, and its instances are. */
	record Status(String service, String instanceId, Phase phase, Instant since, GatePosition gate,
			Optional<RunRecord> run, List<Fleet.Entry> fleet) implements OperationResponseBody {

		Status {
			fleet = List.copyOf(fleet);
		}

	}

}
