package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run through one gateway did. Latencies are those of answers as expected, from
 * sending to the last byte, to within 1 %.
 *
 * @param id names the run
 * @param trigger what the run was for
 * @param verdict how it ended
 * @param gateway the gateway it went through, by its name in discovery
 * @param startedAt when it began to wait for a route
 * @param took how long requests were sent, without the wait
 * @param waited how long it waited until a service answered
 * @param sent how many requests were sent
 * @param failed how many of these were not answered as expected
 * @param first the latency of the first answer of all
 * @param steadyP50 the median of each request's last 50 to 100 answers
 * @param steadyP95 the 95th percentile of the same
 * @param ratio {@code first} divided by {@code steadyP50}
 * @param jit the time the compiler spent meanwhile, summed over its threads
 * @param classesLoaded how many classes were loaded meanwhile
 * @param cpu the processor time that this JVM took meanwhile, over all its threads
 * @param reason why the verdict is not {@link Verdict#WARM}
 * @param findings what else the run found that a person should know, a sentence each; at
 * most 20
 * @param requests every request of the plan
 */
public record RunRecord(String id, Trigger trigger, Verdict verdict, String gateway, Instant startedAt, Duration took,
		Duration waited, long sent, long failed, Optional<Duration> first, Optional<Duration> steadyP50,
		Optional<Duration> steadyP95, Optional<Double> ratio, Duration jit, long classesLoaded, Duration cpu,
		Optional<String> reason, List<String> findings, List<Request> requests) {

	public RunRecord {
		findings = List.copyOf(findings);
		requests = List.copyOf(requests);
	}

	/** The same run without the figures of each request. */
	public RunRecord withoutRequests() {
		return new RunRecord(this.id, this.trigger, this.verdict, this.gateway, this.startedAt, this.took, this.waited,
				this.sent, this.failed, this.first, this.steadyP50, this.steadyP95, this.ratio, this.jit,
				this.classesLoaded, this.cpu, this.reason, this.findings, List.of());
	}

	/**
	 * The result of one request of the catalog over a run. Latencies are those of answers
	 * as expected, from sending to the last byte, to within 1 %.
	 *
	 * @param scenario the scenario's name
	 * @param name the request's name
	 * @param sent how often it was sent
	 * @param failed how many of these were not answered as expected
	 * @param first the latency of the first answer, also one that was only late
	 * @param p50 the median of all answers
	 * @param p95 the 95th percentile of all answers
	 * @param steady whether its latency has stopped falling, as far as the run's last
	 * answers show; {@code false} also with too few of them
	 * @param problem the first failure, such as {@code GET /rooms 500 (expected 2xx)};
	 * without one the first answer that was only late
	 */
	public record Request(String scenario, String name, long sent, long failed, Optional<Duration> first,
			Optional<Duration> p50, Optional<Duration> p95, boolean steady, Optional<String> problem) {

	}

}
