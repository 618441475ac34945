package dev.warmup.record;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.replay.Outcome;

/** Counts and times one request of the catalog. Not thread-safe. */
final class RequestRecorder {

	private static final int BATCH = 50;

	private static final double STEADY_TOLERANCE = 0.25;

	private final String scenario;

	private final RequestTemplate request;

	private final Latencies all = new Latencies();

	private Latencies before = new Latencies();

	private Latencies last = new Latencies();

	private Latencies current = new Latencies();

	private long sent;

	private Optional<Duration> first = Optional.empty();

	private Optional<String> problem = Optional.empty();

	RequestRecorder(String scenario, RequestTemplate request) {
		this.scenario = scenario;
		this.request = request;
	}

	void add(Outcome outcome) {
		if (outcome instanceof Outcome.Answered answered) {
			this.sent++;
			add(answered.latency());
		}
		else if (outcome instanceof Outcome.Unexpected unexpected) {
			this.sent++;
			failed(unexpected.problem());
		}
		else if (outcome instanceof Outcome.Failed failed) {
			this.sent++;
			failed(failed.problem());
		}
	}

	private void add(Duration latency) {
		this.first = this.first.or(() -> Optional.of(latency));
		this.all.add(latency);
		this.current.add(latency);
		if (this.current.count() == BATCH) {
			this.before = this.last;
			this.last = this.current;
			this.current = new Latencies();
		}
	}

	private void failed(String what) {
		this.problem = this.problem
			.or(() -> Optional.of(this.request.method() + " " + this.request.path().source() + " " + what));
	}

	long sent() {
		return this.sent;
	}

	long answered() {
		return this.all.count();
	}

	/** The first failure. */
	Optional<String> problem() {
		return this.problem;
	}

	/** The last 50 to 100 answers, or all when there are fewer. */
	Latencies steady() {
		Latencies steady = new Latencies();
		steady.add(this.last);
		steady.add(this.current);
		return steady;
	}

	private boolean isSteady() {
		return this.before.percentile(50)
			.flatMap((earlier) -> this.last.percentile(50)
				.map((later) -> Math.abs((double) later.toNanos() / earlier.toNanos() - 1) <= STEADY_TOLERANCE))
			.orElse(false);
	}

	RequestRecord toRecord() {
		return new RequestRecord(this.scenario, this.request.name(), this.sent, this.sent - answered(), this.first,
				this.all.percentile(50), this.all.percentile(95), isSteady(), this.problem);
	}

}
