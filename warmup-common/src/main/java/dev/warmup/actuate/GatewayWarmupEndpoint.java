package dev.warmup.actuate;

import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.gateway.Fleet;
import dev.warmup.insight.Coverage;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleStatus;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/warmup} on a gateway: who was warmed through it, how warm it is, and
 * what users send besides.
 */
@WebEndpoint(id = "warmup")
public final class GatewayWarmupEndpoint {

	private final InstanceSource instance;

	private final Fleet fleet;

	private final Gate gate;

	private final Supplier<IdleStatus> idle;

	private final Optional<Coverage> coverage;

	/**
	 * Creates the endpoint.
	 * @param instance who this gateway is
	 * @param fleet who was warmed through it
	 * @param gate whether it may take users
	 * @param idle tells when it is warmed again
	 * @param coverage tells what users send that runs do not
	 */
	public GatewayWarmupEndpoint(InstanceSource instance, Fleet fleet, Gate gate, Supplier<IdleStatus> idle,
			Optional<Coverage> coverage) {
		this.instance = instance;
		this.fleet = fleet;
		this.gate = gate;
		this.idle = idle;
		this.coverage = coverage;
	}

	/**
	 * Tells how warm the fleet is.
	 * @return the report as of now
	 */
	@ReadOperation
	public GatewayStatusReport status() {
		Instance self = this.instance.get();
		return new GatewayStatusReport(self.service(), self.instanceId(), this.fleet.phase(), this.fleet.since(),
				this.gate.position(), this.fleet.runs(), this.idle.get(), this.fleet.entries(),
				this.coverage.map(Coverage::report));
	}

}
