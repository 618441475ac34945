package dev.warmup.bench.load;

import java.time.Duration;
import java.time.Instant;

/**
 * One user's request.
 *
 * @param request the kind of request, such as {@code sign-up}
 * @param start when it was due; with a closed loop, when it was sent
 * @param latency from {@code start} to the last byte of the answer, or to the failure
 * @param status the status, 0 when there was no answer
 * @param expected whether the answer was the expected one
 * @param instance the instance that answered, where that is known, else empty; with
 * status 0 the error message
 */
public record Sample(String request, Instant start, Duration latency, int status, boolean expected, String instance) {

	public Instant end() {
		return this.start.plus(this.latency);
	}

}
