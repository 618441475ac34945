package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.gateway.Fleet;
import dev.warmup.insight.Coverage;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/warmup} on a gateway: which instances were warmed through it, how warm
 * it is, and what share of users' requests the catalog covers.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
final class GatewayWarmupEndpoint {

	private final Instance.Source instance;

	private final Fleet fleet;

	private final Gate gate;

	private final Supplier<IdleSchedule.Status> idle;

	private final Optional<Coverage> coverage;

	public GatewayWarmupEndpoint(Instance.Source instance, Fleet fleet, Gate gate, Supplier<IdleSchedule.Status> idle,
			Optional<Coverage> coverage) {
		this.instance = instance;
		this.fleet = fleet;
		this.gate = gate;
		this.idle = idle;
		this.coverage = coverage;
	}

	@ReadOperation
	public Status status() {
		Instance self = this.instance.get();
		return new Status(self.service(), self.instanceId(), this.fleet.phase(), this.fleet.since(),
				this.gate.position(), this.fleet.runs(), this.idle.get(), this.fleet.entries(),
				this.coverage.map(Coverage::report));
	}

	/**
	 * How warm the gateway and its instances are.
	 *
	 * @param service its {@code spring.application.name}
	 * @param instanceId its id in discovery
	 * @param phase the phase of the run that was reported last
	 * @param since when that phase began
	 * @param gate whether it may take users
	 * @param runs the last runs that went through it, the newest first
	 * @param idle when a user was last here, and when the gateway is warmed again;
	 * without discovery there is no service to request a run from
	 * @param fleet every instance that was warmed through it
	 * @param coverage what share of users' requests runs send, if that is observed
	 */
	public record Status(String service, String instanceId, Phase phase, Instant since, Gate.Position gate,
			List<RunRecord> runs, IdleSchedule.Status idle, List<Fleet.Entry> fleet,
			Optional<Coverage.Report> coverage) {

		public Status {
			runs = List.copyOf(runs);
			fleet = List.copyOf(fleet);
		}

	}

}
