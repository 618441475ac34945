package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a run did, so far or in all. Latencies are those of answers as expected, from
 * sending to the last byte.
 *
 * @param id names the run
 * @param trigger what the run was for
 * @param verdict how it ended; empty while it is under way
 * @param gateways the instance ids of the gateways it goes through
 * @param startedAt when it began
 * @param took how long requests were sent, from the first answer
 * @param sent how many requests were sent
 * @param failed how many of these were not answered as expected
 * @param first the latency of the first answer of all
 * @param p50 the median of the last answers
 * @param p95 the 95th percentile of the same
 * @param steady whether the latency of every request has stopped falling
 * @param ratio {@code first} divided by {@code p50}
 * @param jit the time the compiler spent meanwhile, summed over its threads
 * @param classesLoaded how many classes were loaded meanwhile
 * @param cpu the processor time that this JVM took meanwhile, over all its threads
 * @param reason why the verdict is not {@link Verdict#WARM}, and what to do
 * @param curve the latency over its time; empty before the first answer
 * @param findings what the catalog lacks; empty where it lacks nothing, or nothing is
 * known
 * @param requests every request of the plan
 */
public record RunRecord(String id, Trigger trigger, Optional<Verdict> verdict, List<String> gateways, Instant startedAt,
		Duration took, long sent, long failed, Optional<Duration> first, Optional<Duration> p50, Optional<Duration> p95,
		boolean steady, Optional<Double> ratio, Duration jit, long classesLoaded, Duration cpu, Optional<String> reason,
		Optional<Curve> curve, Optional<Findings> findings, List<Request> requests) {

	public RunRecord {
		gateways = List.copyOf(gateways);
		requests = List.copyOf(requests);
	}

	/** The same run without the figures of each request. */
	public RunRecord withoutRequests() {
		return with(this.findings, List.of());
	}

	/** The same run with others of these. */
	public RunRecord with(Optional<Findings> other, List<Request> others) {
		return new RunRecord(this.id, this.trigger, this.verdict, this.gateways, this.startedAt, this.took, this.sent,
				this.failed, this.first, this.p50, this.p95, this.steady, this.ratio, this.jit, this.classesLoaded,
				this.cpu, this.reason, this.curve, other, others);
	}

	/**
	 * Latency over the time of a run, from its first answer.
	 *
	 * @param step from one point to the next: a second, or more in a long run
	 * @param p50 the median of each step, 60 at most, in milliseconds to a tenth; 0 for a
	 * step without an answer
	 * @param opened when the gate opened; zero if before, empty if not during this run
	 */
	public record Curve(Duration step, List<Double> p50, Optional<Duration> opened) {

		public Curve {
			p50 = List.copyOf(p50);
		}

	}

	/**
	 * The endpoints that the catalog lacks.
	 *
	 * @param uncovered how many
	 * @param share their share of users' calls, from 0 to 1
	 * @param requests those that users call most, the first of all first; ten at most
	 */
	public record Findings(int uncovered, double share, List<Uncovered> requests) {

		public Findings {
			requests = List.copyOf(requests);
		}

		/**
		 * One of these.
		 *
		 * @param request such as {@code GET /rooms/{id}}
		 * @param share its share of users' calls
		 * @param entry a scenario for it, as YAML
		 */
		public record Uncovered(String request, double share, String entry) {

		}

	}

	/**
	 * What became of one request of the catalog over a run.
	 *
	 * @param scenario the scenario's name
	 * @param name the request's name
	 * @param sent how often it was sent
	 * @param failed how many of these were not answered as expected
	 * @param first the latency of the first answer
	 * @param p50 the median of the last answers
	 * @param p95 the 95th percentile of the same
	 * @param steady whether its latency has stopped falling
	 * @param problem the first failure, such as {@code GET /rooms 500 (expected 2xx)}
	 */
	public record Request(String scenario, String name, long sent, long failed, Optional<Duration> first,
			Optional<Duration> p50, Optional<Duration> p95, boolean steady, Optional<String> problem) {

	}

}
