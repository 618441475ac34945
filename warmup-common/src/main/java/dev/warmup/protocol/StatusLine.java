package dev.warmup.protocol;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The one line a run leaves in the log, such as
 * {@code chat-service/host:1 WARM startup: 600 requests in 4.1 s, 0 failed, first 1105 ms, steady p50 6.2 ms (178x), jit 2.3 s, +1934 classes}.
 */
public final class StatusLine {

	private StatusLine() {
	}

	/**
	 * Writes the line of a run.
	 * @param instance whose run it was
	 * @param run its record
	 * @return the line
	 */
	public static String of(Instance instance, RunRecord run) {
		StringBuilder line = new StringBuilder().append(name(instance)).append(' ').append(headline(run)).append(": ");
		if (run.sent() > 0) {
			line.append(figures(run));
			run.reason().ifPresent((reason) -> line.append("; ").append(reason));
		}
		else {
			line.append(run.reason().orElse("nothing was sent"));
			if (run.verdict() == Verdict.FAILED) {
				line.append(" (gave up after ").append(seconds(run.waited())).append(')');
			}
		}
		return line.toString();
	}

	/**
	 * Writes the line of a run whose first request was answered.
	 * @param instance whose run it is
	 * @return the line
	 */
	public static String warming(Instance instance) {
		return name(instance) + " " + Phase.WARMING;
	}

	/**
	 * Writes the line of a run that goes on although its instance takes users now.
	 * @param instance whose run it is
	 * @param run its record so far
	 * @param siblings the latency of others of the service, if it is known
	 * @return the line
	 */
	public static String ramping(Instance instance, RunRecord run, Optional<Duration> siblings) {
		String p50 = run.steadyP50()
			.map((own) -> ", p50 " + millis(own)
					+ siblings.map((others) -> " (" + ratio(own, others) + " its siblings)").orElse(""))
			.orElse("");
		return "%s %s after %s: %d requests, %d failed%s".formatted(name(instance), Phase.RAMPING, seconds(run.took()),
				run.sent(), run.failed(), p50);
	}

	/**
	 * Writes the line of the first user request after a run.
	 * @param instance the instance that answered
	 * @param latency how long the answer took
	 * @param steadyP50 what the run before measured as steady
	 * @return the line
	 */
	public static String firstUserRequest(Instance instance, Duration latency, Duration steadyP50) {
		return "%s first user request after warm-up: %s (%s steady)".formatted(name(instance), millis(latency),
				ratio(latency, steadyP50));
	}

	/**
	 * Writes the line of the first user requests over a route after a run.
	 * @param instance the instance that answered
	 * @param count how many there were
	 * @param route the route's id
	 * @param p50 their median
	 * @param steadyP50 what the run before measured as steady
	 * @param p99 their 99th percentile
	 * @param steadyP95 what the run before measured as steady
	 * @return the line
	 */
	public static String firstUserRequests(Instance instance, int count, String route, Duration p50, Duration steadyP50,
			Duration p99, Duration steadyP95) {
		return "%s first %s user requests after warm-up on route %s: p50 %s (%s steady), p99 %s (%s steady p95)"
			.formatted(name(instance), count, route, millis(p50), ratio(p50, steadyP50), millis(p99),
					ratio(p99, steadyP95));
	}

	private static String name(Instance instance) {
		return instance.service() + "/" + instance.instanceId();
	}

	private static String headline(RunRecord run) {
		return (run.trigger() == Trigger.IDLE) ? "IDLE re-warm " + run.verdict()
				: run.verdict() + " " + run.trigger().name().toLowerCase(Locale.ROOT);
	}

	private static String figures(RunRecord run) {
		StringBuilder figures = new StringBuilder().append(run.sent())
			.append(" requests in ")
			.append(seconds(run.took()))
			.append(", ")
			.append(run.failed())
			.append(" failed");
		run.first().ifPresent((first) -> figures.append(", first ").append(millis(first)));
		run.steadyP50().ifPresent((steady) -> figures.append(", steady p50 ").append(millis(steady)));
		run.ratio().ifPresent((ratio) -> figures.append(" (").append(ratio(ratio)).append(')'));
		return figures.append(", jit ")
			.append(seconds(run.jit()))
			.append(", +")
			.append(run.classesLoaded())
			.append(" classes")
			.toString();
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f s", duration.toNanos() / 1e9);
	}

	private static String millis(Duration duration) {
		double millis = duration.toNanos() / 1e6;
		return String.format(Locale.ROOT, (millis < 100) ? "%.1f ms" : "%.0f ms", millis);
	}

	private static String ratio(Duration latency, Duration steady) {
		return ratio((double) latency.toNanos() / Math.max(1, steady.toNanos()));
	}

	private static String ratio(double ratio) {
		return String.format(Locale.ROOT, (ratio < 10) ? "%.1fx" : "%.0fx", ratio);
	}

}
