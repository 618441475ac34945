package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import dev.warmup.protocol.Verdict;

/**
 * The asking of one service. Guarded by the {@link GatewayWarmupSchedule} that it stands
 * on.
 */
final class GatewayWarmupRequest {

	static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** How long a service is left alone that does not warm. */
	static final Duration REST = Duration.ofMinutes(10);

	/** A gateway that has just started may not be registered yet. */
	private static final int DENIALS_BELIEVED = 6;

	private final Clock clock;

	private Instant restsUntil = Instant.MIN;

	private int failures;

	private int denials;

	private Class<? extends GatewayWarmupResult> told = GatewayWarmupResult.Started.class;

	private Optional<Instant> cameThroughAt = Optional.empty();

	private Optional<Verdict> verdict = Optional.empty();

	boolean underWay;

	boolean warmed;

	boolean refused;

	GatewayWarmupRequest(Clock clock) {
		this.clock = clock;
	}

	boolean rests() {
		return this.clock.instant().isBefore(this.restsUntil);
	}

	void warmed() {
		this.warmed = true;
		this.refused = false;
		this.failures = 0;
		this.denials = 0;
		this.told = GatewayWarmupResult.Started.class;
	}

	/** The run that was asked for came through. */
	void cameThrough(Verdict how) {
		warmed();
		this.verdict = Optional.of(how);
		this.cameThroughAt = Optional.of(this.clock.instant());
	}

	/** How the last run that was asked for ended, and came through. */
	Optional<Verdict> verdict() {
		return this.verdict;
	}

	/** When that was. */
	Optional<Instant> cameThroughAt() {
		return this.cameThroughAt;
	}

	/** Between half and all of a pause that doubles each time. */
	void failed() {
		Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(this.failures, 16));
		long longest = ((doubled.compareTo(LONGEST_PAUSE) < 0) ? doubled : LONGEST_PAUSE).toMillis();
		this.failures++;
		this.restsUntil = this.clock.instant()
			.plusMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
	}

	void denied() {
		this.denials++;
		if (this.denials < DENIALS_BELIEVED) {
			failed();
		}
		else {
			refused();
		}
	}

	void refused() {
		this.refused = true;
		this.restsUntil = this.clock.instant().plus(REST);
	}

	/** Tells whether an answer is of another kind than before, and worth a line. */
	boolean isNews(GatewayWarmupResult answer) {
		boolean news = !answer.getClass().equals(this.told);
		this.told = answer.getClass();
		return news;
	}

}
