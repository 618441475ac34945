package dev.warmup.protocol;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The lines of the status log {@value #LOGGER}, one a change of an instance. */
public final class StatusLine {

	/** The name of the logger. */
	public static final String LOGGER = "dev.warmup.status";

	private StatusLine() {
	}

	/** A run is under way. */
	public static String warming(Instance instance) {
		return instance + " " + Phase.WARMING;
	}

	/**
	 * Users may come.
	 * @param window over which its share of users grows; zero for at once
	 * @param others how many others of its service serve
	 */
	public static String takesUsers(Instance instance, Optional<RunRecord> run, Duration window, int others) {
		String figures = run.filter((each) -> each.sent() > 0)
			.map((each) -> String.format(Locale.ROOT, " after %s: %d requests, %d failed%s", seconds(each.took()),
					each.sent(), each.failed(), each.p50().map((p50) -> ", p50 " + millis(p50)).orElse("")))
			.orElse("");
		String share = (others == 0 || window.isZero()) ? ""
				: String.format(Locale.ROOT, "; its share grows for %d s (%d %s)", window.toSeconds(), others,
						(others == 1) ? "other serves" : "others serve");
		return instance + " takes users" + figures + share;
	}

	/** A run has ended. */
	public static String ended(Instance instance, RunRecord run) {
		String verdict = run.verdict().map(Verdict::name).orElse(Phase.WARMING.name());
		String headline = (run.trigger() == Trigger.IDLE) ? "IDLE re-warm " + verdict
				: verdict + " " + run.trigger().name().toLowerCase(Locale.ROOT);
		String body = (run.sent() > 0) ? figures(run) + run.reason().map((reason) -> "; " + reason).orElse("")
				: run.reason().orElse("nothing was sent");
		return instance + " " + headline + ": " + body;
	}

	/** The first user request after a run, against the median that the run measured. */
	public static String firstUserRequest(Instance instance, Duration latency, Optional<Duration> p50) {
		return "%s first user request after warm-up: %s%s".formatted(instance, millis(latency),
				p50.map((median) -> " (" + ratio(ratio(latency, median)) + " its p50)").orElse(""));
	}

	/** The instance is about to stop, or is gone. */
	public static String left(Instance instance) {
		return instance + " left";
	}

	private static String figures(RunRecord run) {
		String first = run.first().map((latency) -> ", first " + millis(latency)).orElse("");
		String median = run.p50()
			.map((p50) -> ", " + (run.steady() ? "steady " : "") + "p50 " + millis(p50)
					+ run.ratio().map((times) -> " (" + ratio(times) + ")").orElse("")
					+ (run.steady() ? "" : ", still falling"))
			.orElse("");
		return String.format(Locale.ROOT, "%d requests in %s, %d failed%s%s, jit %s, +%d classes", run.sent(),
				seconds(run.took()), run.failed(), first, median, seconds(run.jit()), run.classesLoaded());
	}

	/** How many times one latency is another. */
	public static double ratio(Duration latency, Duration baseline) {
		return (double) latency.toNanos() / Math.max(1, baseline.toNanos());
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f s", duration.toNanos() / 1e9);
	}

	private static String millis(Duration duration) {
		double millis = duration.toNanos() / 1e6;
		return String.format(Locale.ROOT, (millis < 100) ? "%.1f ms" : "%.0f ms", millis);
	}

	private static String ratio(double ratio) {
		return String.format(Locale.ROOT, (ratio < 10) ? "%.1fx" : "%.0fx", ratio);
	}

}
