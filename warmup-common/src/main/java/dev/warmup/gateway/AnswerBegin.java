package dev.warmup.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Times a request until its answer begins: how long it then goes on is a matter of the
 * client's line, and a stream or a WebSocket may do so for hours.
 */
final class AnswerBegin {

	private final long start = System.nanoTime();

	private final AtomicReference<@Nullable Duration> latency = new AtomicReference<>();

	private AnswerBegin() {
	}

	/**
	 * Times a request from now on.
	 * @param response its response
	 * @return the time that it takes, once the answer has begun
	 */
	static AnswerBegin of(ServerHttpResponse response) {
		AnswerBegin begin = new AnswerBegin();
		response.beforeCommit(() -> {
			begin.latency.set(begin.elapsed());
			return Mono.empty();
		});
		return begin;
	}

	/** How long it took; empty where there is no answer, or not yet. */
	Optional<Duration> latency() {
		return Optional.ofNullable(this.latency.get());
	}

	/** How long it is since the request came. */
	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

}
