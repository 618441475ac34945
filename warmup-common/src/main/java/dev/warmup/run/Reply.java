package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.WarmupClaim;

import org.springframework.http.HttpHeaders;

/** What came back when a request was sent once. */
sealed interface Reply {

	/**
	 * An answer, read to its end.
	 *
	 * @param status its HTTP status
	 * @param headers its headers
	 * @param latency from sending to the last byte
	 * @param body its text, or empty when it was longer than is read
	 */
	record Answer(int status, HttpHeaders headers, Duration latency, Optional<String> body) implements Reply {

		/**
		 * Whether the answer proves to come from the claimant itself, or, where the
		 * gateway states that the route leads elsewhere, from another service. Whatever
		 * answers in place of a service, such as a cache or a fallback, has no proof.
		 */
		boolean proves(Session session) {
			String service = this.headers.getFirst(WarmupClaim.SERVICE_HEADER);
			return isOwn(session) || (service != null && !service.equalsIgnoreCase(session.service()));
		}

		/** Whether the claimant itself answered. */
		boolean isOwn(Session session) {
			return session.claim().instanceId().equals(this.headers.getFirst(WarmupClaim.INSTANCE_HEADER));
		}

		/** The figures of the gateway that routed the request. */
		Optional<JvmReading> gateway() {
			return Optional.ofNullable(this.headers.getFirst(JvmReading.HEADER)).flatMap(JvmReading::parse);
		}

	}

	/**
	 * No answer, or none that could be read to its end.
	 *
	 * @param problem what happened, such as {@code no answer within 2 s}
	 */
	record Silence(String problem) implements Reply {

	}

	/** Given up because the budget was spent. */
	record GivenUp() implements Reply {

	}

}
