package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;

/** Starts a run when the instance has been idle for long enough. */
public final class IdleCheck {

	private final WarmupRunner runner;

	private final WarmupState state;

	private final UserActivity users;

	private final IdleSchedule schedule;

	private final Clock clock;

	private final DoubleSupplier random;

	private volatile Due due;

	/**
	 * Begins to count.
	 * @param random the source of jitter, from 0 to 1
	 */
	public IdleCheck(WarmupRunner runner, WarmupState state, UserActivity users, IdleSchedule schedule, Clock clock,
			DoubleSupplier random) {
		this.runner = runner;
		this.state = state;
		this.users = users;
		this.schedule = schedule;
		this.clock = clock;
		this.random = random;
		this.due = due(clock.instant());
	}

	/**
	 * Runs if the instance has been idle for long enough, and no run has been since. At a
	 * fixed rate, since with a fixed delay Spring would hold its scheduler's thread until
	 * the run is over.
	 */
	@Scheduled(fixedRateString = "#{@warmupIdleSchedule.period().toMillis()}",
			initialDelayString = "#{@warmupIdleSchedule.period().toMillis()}")
	public Mono<Void> check() {
		return Mono.defer(() -> next().filter((next) -> !this.clock.instant().isBefore(next))
			.filter((next) -> this.state.lastRunEnd().isPresent())
			.map((next) -> this.runner.run(Trigger.IDLE).then())
			.orElseGet(Mono::empty));
	}

	/** When the next run is due without users before; empty for never. */
	public Optional<Instant> next() {
		if (this.schedule.isNever()) {
			return Optional.empty();
		}
		Due known = this.due;
		Instant lastActivity = Stream.of(this.users.lastUserRequest(), this.state.lastRunEnd())
			.flatMap(Optional::stream)
			.max(Instant::compareTo)
			.orElse(known.since());
		if (!lastActivity.equals(known.since())) {
			known = due(lastActivity);
			this.due = known;
		}
		return Optional.of(known.at());
	}

	private Due due(Instant since) {
		Duration jitter = Duration
			.ofNanos((long) (this.schedule.after().toNanos() * this.schedule.jitter() * this.random.getAsDouble()));
		return new Due(since, since.plus(this.schedule.after()).plus(jitter));
	}

	private record Due(Instant since, Instant at) {

	}

}
