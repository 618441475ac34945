package dev.warmup.run;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;

/** Starts a run when the instance has been idle for long enough. */
public class IdleCheck {

	private final WarmupRunner runner;

	private final WarmupState state;

	private final UserActivity users;

	private final IdleSchedule schedule;

	private final Clock clock;

	private final Instant since;

	/** Begins to count. */
	public IdleCheck(WarmupRunner runner, WarmupState state, UserActivity users, IdleSchedule schedule, Clock clock) {
		this.runner = runner;
		this.state = state;
		this.users = users;
		this.schedule = schedule;
		this.clock = clock;
		this.since = clock.instant();
	}

	/**
	 * Runs if the instance has been idle for long enough, and no run has been since. At a
	 * fixed rate, since with a fixed delay Spring would hold its scheduler's thread until
	 * the run is over.
	 */
	@Scheduled(fixedRateString = "#{@warmupIdleSchedule.period().toMillis()}",
			initialDelayString = "#{@warmupIdleSchedule.period().toMillis()}")
	public Mono<Void> check() {
		return Mono.defer(() -> status().next()
			.filter((next) -> !this.clock.instant().isBefore(next))
			.filter((next) -> this.state.lastRunEnd().isPresent())
			.map((next) -> this.runner.run(Trigger.IDLE).then())
			.orElseGet(Mono::empty));
	}

	/** When a user was last here, and when the instance is warmed again. */
	public IdleSchedule.Status status() {
		Optional<Instant> lastUserRequest = this.users.lastUserRequest();
		return new IdleSchedule.Status(this.schedule.after(), lastUserRequest,
				this.schedule.next(Stream.of(Optional.of(this.since), lastUserRequest, this.state.lastRunEnd())
					.flatMap(Optional::stream)));
	}

}
