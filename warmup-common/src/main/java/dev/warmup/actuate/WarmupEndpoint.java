package dev.warmup.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/warmup} on a service: how warm it is, and, if the application grants
 * unrestricted access, a run on demand.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
final class WarmupEndpoint {

	private static final int ACCEPTED = 202;

	private static final int CONFLICT = 409;

	private static final int TOO_MANY_REQUESTS = 429;

	/** From the start of a run on demand until the next may be started. */
	private static final Duration COOL_DOWN = Duration.ofSeconds(10);

	private final Instance.Source instance;

	private final WarmupState state;

	private final Gate gate;

	private final WarmupRunner runner;

	private final IdleCheck idleCheck;

	private final LongSupplier nanoTime;

	/** When the last run on demand was started. */
	private volatile @Nullable Long lastStart;

	public WarmupEndpoint(Instance.Source instance, WarmupState state, Gate gate, WarmupRunner runner,
			IdleCheck idleCheck, LongSupplier nanoTime) {
		this.instance = instance;
		this.state = state;
		this.gate = gate;
		this.runner = runner;
		this.idleCheck = idleCheck;
		this.nanoTime = nanoTime;
	}

	@ReadOperation
	public Status status() {
		Instance self = this.instance.get();
		WarmupState.PhaseSince phase = this.state.phase();
		return new Status(self.service(), self.instanceId(), phase.phase(), phase.since(), this.gate.position(),
				this.state.runs(), this.idleCheck.status());
	}

	/**
	 * Starts a run that replays what a startup run replays.
	 * @return 202 at once, 409 while a run is in progress, or 429 within ten seconds of
	 * the last run on demand
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, String>> run() {
		long now = this.nanoTime.getAsLong();
		Long last = this.lastStart;
		if (last != null && now - last < COOL_DOWN.toNanos() && !this.runner.isRunning()) {
			return new WebEndpointResponse<>(
					Map.of("message", "A run was started less than %d seconds ago".formatted(COOL_DOWN.toSeconds())),
					TOO_MANY_REQUESTS);
		}
		if (!this.runner.start(Trigger.MANUAL)) {
			return new WebEndpointResponse<>(Map.of("message", "A run is under way"), CONFLICT);
		}
		this.lastStart = now;
		return new WebEndpointResponse<>(Map.of("message", "A run was started"), ACCEPTED);
	}

	/**
	 * How warm the instance is, its last runs, the newest first, and when the next is
	 * due. Written as other endpoints are, whatever the application's JSON looks like.
	 */
	public record Status(String service, String instanceId, Phase phase, Instant since, Gate.Position gate,
			List<RunRecord> runs, IdleSchedule.Status idle) implements OperationResponseBody {

		public Status {
			runs = List.copyOf(runs);
		}

	}

}
