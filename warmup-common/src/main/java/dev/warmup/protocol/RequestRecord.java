package dev.warmup.protocol;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one request of the catalog over a run. Latencies are those of answers as
 * expected, from sending to the last byte, to within 1 %.
 *
 * @param scenario the scenario's name
 * @param name the request's name
 * @param sent how often it was sent
 * @param failed how many of these were not answered as expected
 * @param first the latency of the first answer
 * @param p50 the median of all answers
 * @param p95 the 95th percentile of all answers
 * @param steady whether its latency has stopped falling, as far as the run's last answers
 * show; {@code false} also with too few of them
 * @param connections how many pooled connections it was seen to hold at once while
 * nothing else was in flight: at least 1, and perhaps fewer than it held; empty when none
 * was seen, which is no proof that it held none
 * @param problem the first failure, such as {@code GET /rooms 500 (expected 2xx)}
 */
public record RequestRecord(String scenario, String name, long sent, long failed, Optional<Duration> first,
		Optional<Duration> p50, Optional<Duration> p95, boolean steady, Optional<Integer> connections,
		Optional<String> problem) {

}
