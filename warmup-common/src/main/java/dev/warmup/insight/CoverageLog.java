package dev.warmup.insight;

import java.util.concurrent.TimeUnit;

import dev.warmup.gateway.GatewayListener;
import dev.warmup.protocol.RunReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Logs what share of users' requests the catalog covers: once a day and after each run,
 * if users were here since the line before. Thread-safe.
 */
final class CoverageLog implements GatewayListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Coverage coverage;

	/**
	 * Creates the log.
	 * @param coverage tells the share, and begins a new day each day
	 */
	CoverageLog(Coverage coverage) {
		this.coverage = coverage;
	}

	@Override
	public void onReport(RunReport report) {
		tell();
	}

	/** Logs the line of the day, and begins the next. */
	@Scheduled(fixedRate = 1, initialDelay = 1, timeUnit = TimeUnit.DAYS)
	public void day() {
		tell();
		this.coverage.turnDay();
	}

	private void tell() {
		if (this.coverage.takeNews()) {
			logger.info("{}", this.coverage.report().line());
		}
	}

}
