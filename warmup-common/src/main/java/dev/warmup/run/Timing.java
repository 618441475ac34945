package dev.warmup.run;

import java.time.Clock;
import java.util.function.LongSupplier;

import dev.warmup.protocol.MonotonicClock;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where runs take the time from: for records, for waiting, and for budgets, such as
 * {@link System#nanoTime()}.
 */
record Timing(Clock clock, Scheduler scheduler, LongSupplier nanoTime) {

	/** The system's time, in UTC. */
	public static Timing system() {
		return new Timing(MonotonicClock.system(), Schedulers.parallel(), System::nanoTime);
	}

	/** The monotonic time in nanoseconds, of which only differences mean anything. */
	long now() {
		return this.nanoTime.getAsLong();
	}

}
