package dev.warmup;

import java.time.Duration;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Warms something that requests alone would warm late or not at all, such as a cache or a
 * model. Each bean of this type runs once per run, before the first request is sent,
 * except in runs that a gateway requests. They run one after another, in the order that
 * {@link Order @Order} or {@link Ordered} gives them: those of this library have
 * {@link #ORDER}, and one without an order comes last. One that fails is logged, and the
 * run goes on.
 * <p>
 * Tasks run again when the instance was idle, while users may be there: they must not
 * exhaust what users need, and must be safe to repeat.
 */
public interface WarmupTask {

	/** The order of the library's own tasks. */
	int ORDER = 0;

	/**
	 * Names the task in logs.
	 * @return a short name, always the same
	 */
	String name();

	/**
	 * Does the work. This is called, and what it returns is subscribed to, on a thread
	 * that may block, and is interrupted if the work is given up meanwhile.
	 * @return completes when the work is done, fails when it could not be done
	 */
	Mono<Void> run();

	/**
	 * How long the work may take before it is given up and counts as failed; less where
	 * the run does not have as much time left.
	 * @return 10 seconds, unless overridden
	 */
	default Duration limit() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Makes a task of a call.
	 * @param name names the task
	 * @param work does the work; it may block, and fails by what it throws
	 * @return a task with the usual limit
	 */
	static WarmupTask of(String name, Runnable work) {
		return new WarmupTask() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public Mono<Void> run() {
				return Mono.fromRunnable(work);
			}

		};
	}

}
