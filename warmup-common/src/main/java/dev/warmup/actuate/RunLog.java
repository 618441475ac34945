package dev.warmup.actuate;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.RunListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line a run in the service, at WARN when nothing was answered as expected.
 */
final class RunLog implements RunListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Instance.Source instance;

	RunLog(Instance.Source instance) {
		this.instance = instance;
	}

	@Override
	public void onPhase(Phase phase) {
		if (phase == Phase.WARMING) {
			logger.info("{}", StatusLine.warming(this.instance.get()));
		}
	}

	@Override
	public void onRun(RunRecord run) {
		String line = StatusLine.of(this.instance.get(), run) + " (through gateway " + run.gateway() + ")";
		if (run.verdict() == Verdict.FAILED) {
			logger.warn("{}", line);
		}
		else {
			logger.info("{}", line);
		}
	}

}
