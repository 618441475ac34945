package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.RequestRecord;
import org.jspecify.annotations.Nullable;

/** Counts and times one request of the catalog. Not thread-safe. */
final class RequestRecorder {

	private static final int BATCH = 50;

	private final String scenario;

	private final RequestTemplate request;

	private final Latencies all = new Latencies();

	private final LatencyTrend trend;

	private Latencies last = new Latencies();

	private Latencies current = new Latencies();

	private long sent;

	/** Answers of another service, which say nothing of how warm this instance is. */
	private long elsewhere;

	private @Nullable Duration first;

	private @Nullable Integer connections;

	private @Nullable String problem;

	RequestRecorder(String scenario, RequestTemplate request, LatencyTrend trend) {
		this.scenario = scenario;
		this.request = request;
		this.trend = trend;
	}

	void add(Outcome outcome) {
		if (outcome instanceof Outcome.Answered answered) {
			this.sent++;
			this.elsewhere += answered.own() ? 0 : 1;
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
		if (this.first == null) {
			this.first = latency;
		}
		this.all.add(latency);
		this.trend.add(latency);
		this.current.add(latency);
		if (this.current.count() == BATCH) {
			this.last = this.current;
			this.current = new Latencies();
		}
	}

	private void failed(String what) {
		if (this.problem == null) {
			this.problem = this.request.method() + " " + this.request.path().source() + " " + what;
		}
	}

	void connections(int held) {
		this.connections = (this.connections == null) ? held : Math.max(this.connections, held);
	}

	long sent() {
		return this.sent;
	}

	long answered() {
		return this.all.count();
	}

	long elsewhere() {
		return this.elsewhere;
	}

	/** The first failure. */
	Optional<String> problem() {
		return Optional.ofNullable(this.problem);
	}

	/** The last 50 to 100 answers, or all when there are fewer. */
	Latencies steady() {
		Latencies steady = new Latencies();
		steady.add(this.last);
		steady.add(this.current);
		return steady;
	}

	/**
	 * Why more repetitions may still make it faster; empty also when it fails, or is
	 * never sent, since those do not.
	 */
	Optional<String> unsteady() {
		return (this.problem != null || this.sent == 0) ? Optional.empty()
				: this.trend.problem().map((what) -> this.request.name() + " " + what);
	}

	RequestRecord toRecord() {
		return new RequestRecord(this.scenario, this.request.name(), this.sent, this.sent - answered(),
				Optional.ofNullable(this.first), this.all.percentile(50), this.all.percentile(95),
				this.trend.isSteady(), Optional.ofNullable(this.connections), problem());
	}

}
