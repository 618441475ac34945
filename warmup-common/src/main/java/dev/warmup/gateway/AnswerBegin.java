package dev.warmup.gateway;

import java.time.Duration;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Times requests until their answer begins: how long it then goes on is a matter of the
 * client's line, and a stream or a WebSocket may do so for hours.
 */
final class AnswerBegin {

	private static final Logger logger = LoggerFactory.getLogger(AnswerBegin.class);

	private AnswerBegin() {
	}

	/**
	 * Times a request from now on.
	 * @param response its response
	 * @param then is told once, ahead of the first byte; never where there is none. What
	 * it throws is logged and does the answer no harm
	 */
	static void time(ServerHttpResponse response, Consumer<Duration> then) {
		long start = System.nanoTime();
		response.beforeCommit(() -> {
			try {
				then.accept(Duration.ofNanos(System.nanoTime() - start));
			}
			catch (RuntimeException ex) {
				logger.warn("A request could not be noted", ex);
			}
			return Mono.empty();
		});
	}

}
