package dev.warmup.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import dev.warmup.gateway.FirstHundred;
import dev.warmup.gateway.FirstUserLatency;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayListener;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what the first 100 users over a route met after a run: at WARN, with likely
 * causes, when they waited longer than the run had promised by more than a factor.
 */
public final class FirstUserLatencyLog implements GatewayListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	/** A median of fewer says little. */
	private static final int FEW_REQUESTS = 50;

	/** Beyond it, the median user may well have sent what no run sends. */
	private static final double MUCH_UNCOVERED = 0.1;

	private final double factor;

	private final Fleet fleet;

	private final Supplier<CoverageReport> coverage;

	/**
	 * Creates the log.
	 * @param factor by how much the median of users may exceed the steady median
	 * @param fleet tells whether other instances are being warmed
	 * @param coverage tells what users send that runs do not
	 */
	public FirstUserLatencyLog(double factor, Fleet fleet, Supplier<CoverageReport> coverage) {
		this.factor = factor;
		this.fleet = fleet;
		this.coverage = coverage;
	}

	@Override
	public void onTruth(FirstUserLatency truth) {
		String line = StatusLine.firstUserRequests(truth.instance(), FirstHundred.SIZE, printable(truth.route()),
				truth.p50(), truth.steady().p50(), truth.p99(), truth.steady().p95());
		if (truth.ratio() > this.factor) {
			logger.warn("{}; more than {}x, likely because {}", line, plain(this.factor),
					String.join(", or ", causes(truth)));
		}
		else {
			logger.info("{}", line);
		}
	}

	private List<String> causes(FirstUserLatency truth) {
		List<String> causes = new ArrayList<>();
		RunRecord run = truth.run();
		if (run.verdict() == Verdict.TIMED_OUT) {
			causes.add("the run ended before it was steady (TIMED_OUT)");
		}
		else if (run.verdict() != Verdict.WARM) {
			causes.add("the run ended " + run.verdict());
		}
		long warmed = truth.steady().requests();
		if (warmed == 0) {
			causes.add("no request of the run took this route, and users are compared with the whole run");
		}
		else if (warmed < FEW_REQUESTS) {
			causes.add("only %d requests of the run took this route".formatted(warmed));
		}
		uncovered(this.coverage.get(), causes);
		if (this.fleet.warmsAnother(truth.instance())) {
			causes.add("another instance was being warmed");
		}
		causes.add("there was other load at that moment");
		return causes;
	}

	private static void uncovered(CoverageReport coverage, List<String> causes) {
		coverage.share().map((share) -> 1 - share).filter((share) -> share > MUCH_UNCOVERED).ifPresent((share) -> {
			String most = coverage.uncovered().isEmpty() ? "" : ", such as " + coverage.uncovered().get(0);
			causes.add(String.format(Locale.ROOT, "the catalog does not cover %.1f %% of user requests%s", share * 100,
					most));
		});
	}

	private static String plain(double number) {
		return (number == Math.rint(number)) ? Long.toString((long) number) : Double.toString(number);
	}

	/** Routes may be made at run time, by whoever may. */
	private static String printable(String route) {
		return route.replaceAll("[\\p{Cc}\\u2028\\u2029]", "?");
	}

}
