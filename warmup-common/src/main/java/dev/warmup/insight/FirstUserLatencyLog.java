package dev.warmup.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import dev.warmup.gateway.FirstUserLatency;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayListener;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the latency of the first 100 user requests over a route after a run: at WARN, with
 * likely causes, when their median exceeds that of the run by more than a factor of 3.
 */
final class FirstUserLatencyLog implements GatewayListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	/**
	 * Beyond it, users noticeably do not get what the run measured; below, the ratio
	 * varies with load and with the mix of requests.
	 */
	private static final int FACTOR = 3;

	/** A median of fewer says little. */
	private static final int FEW_REQUESTS = 50;

	/** Beyond it, the median user may well have sent what no run sends. */
	private static final double MUCH_UNCOVERED = 0.1;

	private final Fleet fleet;

	private final Supplier<Coverage.Report> coverage;

	FirstUserLatencyLog(Fleet fleet, Supplier<Coverage.Report> coverage) {
		this.fleet = fleet;
		this.coverage = coverage;
	}

	@Override
	public void onFirstUserLatency(FirstUserLatency latency) {
		String line = StatusLine.firstUserRequests(latency.instance(), FirstUserLatency.REQUESTS,
				printable(latency.route()), latency.p50(), latency.baseline().p50(), latency.p99(),
				latency.baseline().p95());
		if (latency.ratio() > FACTOR) {
			logger.warn("{}; more than {}x, likely because {}", line, FACTOR, String.join(", or ", causes(latency)));
		}
		else {
			logger.info("{}", line);
		}
	}

	private List<String> causes(FirstUserLatency latency) {
		List<String> causes = new ArrayList<>();
		RunRecord run = latency.run();
		if (run.verdict() == Verdict.TIMED_OUT) {
			causes.add("the run ended before it was steady (TIMED_OUT)");
		}
		else if (run.verdict() != Verdict.WARM) {
			causes.add("the run ended " + run.verdict());
		}
		long warmed = latency.baseline().requests();
		if (warmed == 0) {
			causes.add("no request of the run took this route, and users are compared with the whole run");
		}
		else if (warmed < FEW_REQUESTS) {
			causes.add("only %d requests of the run took this route".formatted(warmed));
		}
		uncovered(this.coverage.get(), causes);
		if (this.fleet.warmsAnother(latency.instance())) {
			causes.add("another instance was being warmed");
		}
		causes.add("there was other load at that moment");
		return causes;
	}

	private static void uncovered(Coverage.Report coverage, List<String> causes) {
		coverage.share().map((share) -> 1 - share).filter((share) -> share > MUCH_UNCOVERED).ifPresent((share) -> {
			String most = coverage.uncovered().isEmpty() ? "" : ", such as " + coverage.uncovered().get(0);
			causes.add(String.format(Locale.ROOT, "the catalog does not cover %.1f %% of user requests%s", share * 100,
					most));
		});
	}

	/** Routes may be created at run time, with any id. */
	private static String printable(String route) {
		return route.replaceAll("[\\p{Cc}\\u2028\\u2029]", "?");
	}

}
