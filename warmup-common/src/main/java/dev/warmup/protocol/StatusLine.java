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

	/** The line of a run. */
	public static String of(Instance instance, RunRecord run) {
		String start = name(instance) + " " + headline(run) + ": ";
		if (run.sent() > 0) {
			return start + figures(run) + run.reason().map((reason) -> "; " + reason).orElse("");
		}
		String end = (run.verdict() == Verdict.FAILED) ? " (gave up after " + seconds(run.waited()) + ")" : "";
		return start + run.reason().orElse("nothing was sent") + end;
	}

	/** The line of a run whose first request was answered. */
	public static String warming(Instance instance) {
		return name(instance) + " " + Phase.WARMING;
	}

	/**
	 * The line of a run that goes on although its instance takes users now, with the
	 * latency of others of the service, if it is known, and the first part of the reason
	 * if it is degraded: what failed.
	 */
	public static String ramping(Instance instance, RunRecord run, Optional<Duration> siblings) {
		String p50 = run.steadyP50()
			.map((own) -> ", p50 " + millis(own)
					+ siblings.map((others) -> " (" + ratio(own, others) + " its siblings)").orElse(""))
			.orElse("");
		String problems = run.reason()
			.filter((reason) -> run.verdict() == Verdict.DEGRADED)
			.map((reason) -> "; " + reason.replaceFirst("; .*", ""))
			.orElse("");
		return String.format(Locale.ROOT, "%s %s after %s: %d requests, %d failed%s%s", name(instance), Phase.RAMPING,
				seconds(run.took()), run.sent(), run.failed(), p50, problems);
	}

	/**
	 * The line of the first user request after a run, against what the run measured as
	 * steady.
	 */
	public static String firstUserRequest(Instance instance, Duration latency, Duration steadyP50) {
		return "%s first user request after warm-up: %s (%s steady)".formatted(name(instance), millis(latency),
				ratio(latency, steadyP50));
	}

	/**
	 * The line of the first user requests over a route after a run: their median and 99th
	 * percentile, against what the run measured as steady.
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
		String first = run.first().map((latency) -> ", first " + millis(latency)).orElse("");
		String steady = run.steadyP50().map((latency) -> ", steady p50 " + millis(latency)).orElse("");
		String ratio = run.ratio().map((times) -> " (" + ratio(times) + ")").orElse("");
		return String.format(Locale.ROOT, "%d requests in %s, %d failed%s%s%s, jit %s, +%d classes", run.sent(),
				seconds(run.took()), run.failed(), first, steady, ratio, seconds(run.jit()), run.classesLoaded());
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f s", duration.toNanos() / 1e9);
	}

	private static String millis(Duration duration) {
		double millis = duration.toNanos() / 1e6;
		return String.format(Locale.ROOT, (millis < 100) ? "%.1f ms" : "%.0f ms", millis);
	}

	private static String ratio(Duration latency, Duration steady) {
		return ratio(Latencies.ratio(latency, steady));
	}

	private static String ratio(double ratio) {
		return String.format(Locale.ROOT, (ratio < 10) ? "%.1fx" : "%.0fx", ratio);
	}

}
