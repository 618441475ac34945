package dev.warmup.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * A request that is ready to be sent, as often as needed.
 *
 * @param request what to send
 * @param session the run it belongs to
 * @param timeout how long it may take each time
 * @param cleanup whether it is sent though the budget is spent
 */
record PreparedRequest(WebClient.RequestHeadersSpec<?> request, Session session, Duration timeout, boolean cleanup) {

	static final DataSize MAX_ANSWER = DataSize.ofMegabytes(1);

	/**
	 * Where Reactor looks for what to do with an error that comes once nobody waits any
	 * more: an answer that arrives at the very moment of the timeout ends in one, which
	 * would else be logged as an ERROR.
	 */
	private static final String DROPPED = "reactor.onErrorDropped.local";

	private static final Logger logger = LoggerFactory.getLogger(PreparedRequest.class);

	/** Sends once, and reads the answer to its end, up to 1 MiB; never fails. */
	Mono<Reply> once() {
		return Mono.defer(() -> {
			Duration limit = this.cleanup ? this.session.cleanupLimit(this.timeout) : this.session.limit(this.timeout);
			long start = System.nanoTime();
			return this.request.exchangeToMono((response) -> read(response, start))
				.timeout(limit)
				.onErrorResume((error) -> Mono.just(failed(error, limit)))
				.contextWrite((context) -> context.put(DROPPED, (Consumer<Throwable>) PreparedRequest::dropped));
		});
	}

	private static Mono<Reply> read(ClientResponse response, long start) {
		return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), Math.toIntExact(MAX_ANSWER.toBytes()))
			.map((buffer) -> {
				String text = buffer.toString(StandardCharsets.UTF_8);
				DataBufferUtils.release(buffer);
				return Optional.of(text);
			})
			.defaultIfEmpty(Optional.of(""))
			.onErrorReturn(DataBufferLimitException.class, Optional.empty())
			.map((body) -> new Reply.Answer(response.statusCode().value(), response.headers().asHttpHeaders(),
					Duration.ofNanos(System.nanoTime() - start), body));
	}

	private Reply failed(Throwable error, Duration limit) {
		if (error instanceof TimeoutException) {
			return (limit.compareTo(this.timeout) < 0 && !this.cleanup) ? new Reply.GivenUp()
					: new Reply.Silence("no answer within " + limit.toMillis() + " ms");
		}
		return new Reply.Silence(describe(error));
	}

	private static void dropped(Throwable error) {
		logger.debug("After the timeout: {}", error.toString());
	}

	static String describe(Throwable error) {
		Throwable cause = (error instanceof WebClientRequestException && error.getCause() != null) ? error.getCause()
				: error;
		return String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName());
	}

}
