package dev.warmup.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.WarmupClaim;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Sends one request, and sends it again only while it is turned away unread: by another
 * instance (421), at most {@value #MISDIRECTED_AT_MOST} times, or by a gateway that is
 * busy (429 with {@code Retry-After}). How long to wait then is the gateway's decision,
 * not a back-off, and does not count against the budget. Thread-safe.
 */
final class RequestSender {

	/** Enough to reach each of a few instances behind one address. */
	static final int MISDIRECTED_AT_MOST = 20;

	static final DataSize MAX_ANSWER = DataSize.ofMegabytes(1);

	private static final Duration MISDIRECTED_PAUSE = Duration.ofMillis(10);

	private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

	/** What a cleanup request may take, and be deferred, once the budget is spent. */
	private static final Duration CLEANUP_LIMIT = Duration.ofSeconds(5);

	private static final int CLEANUP_TRIES = 3;

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	/**
	 * Where Reactor looks for a handler of errors that come after cancellation: an answer
	 * that arrives at the very moment of the timeout ends in one, which would otherwise
	 * be logged as an ERROR.
	 */
	private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

	private static final Logger logger = LoggerFactory.getLogger(RequestSender.class);

	private final Scheduler scheduler;

	RequestSender(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Sends until the request is not turned away, or the budget is spent.
	 * @param timeout how long it may take each time
	 * @param cleanup whether it is sent although the budget is spent
	 * @return the last answer, empty when the end of the budget cut it; fails without one
	 */
	Mono<Answer> send(WebClient.RequestHeadersSpec<?> request, Session session, Duration timeout, boolean cleanup) {
		return resend(once(request, session, timeout, cleanup), session, cleanup);
	}

	/** Sends once, and reads the answer to its end, up to {@link #MAX_ANSWER}. */
	private static Mono<Answer> once(WebClient.RequestHeadersSpec<?> request, Session session, Duration timeout,
			boolean cleanup) {
		return Mono.defer(() -> {
			Duration limit = limit(session.budget().remaining(), timeout, cleanup);
			boolean cut = !cleanup && limit.compareTo(timeout) < 0;
			long start = System.nanoTime();
			return request.exchangeToMono((response) -> read(response, start))
				.timeout(limit,
						cut ? Mono.empty()
								: Mono
									.error(() -> new TimeoutException("no answer within " + limit.toMillis() + " ms")))
				.contextWrite((context) -> context.put(ON_ERROR_DROPPED, (Consumer<Throwable>) RequestSender::dropped));
		});
	}

	/**
	 * What is left of the budget at most; cleanup has its time also beyond the budget.
	 */
	static Duration limit(Duration remaining, Duration timeout, boolean cleanup) {
		Duration most = remaining;
		if (cleanup) {
			most = remaining.isZero() ? CLEANUP_LIMIT : timeout;
		}
		return (most.compareTo(timeout) < 0) ? most : timeout;
	}

	private static Mono<Answer> read(ClientResponse response, long start) {
		return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), Math.toIntExact(MAX_ANSWER.toBytes()))
			.map((buffer) -> {
				String text = buffer.toString(StandardCharsets.UTF_8);
				DataBufferUtils.release(buffer);
				return Optional.of(text);
			})
			.defaultIfEmpty(Optional.of(""))
			.onErrorReturn(DataBufferLimitException.class, Optional.empty())
			.map((body) -> new Answer(response.statusCode().value(), response.headers().asHttpHeaders(),
					Duration.ofNanos(System.nanoTime() - start), body));
	}

	private static void dropped(Throwable error) {
		logger.debug("After the timeout: {}", error.toString());
	}

	/**
	 * Subscribes again while the request is turned away.
	 * @param once sends the request once for each subscription
	 */
	Mono<Answer> resend(Mono<Answer> once, Session session, boolean cleanup) {
		return attempt(once, 0, 0).expand((last) -> again(last, once, session, cleanup))
			.last()
			.mapNotNull(Attempt::answer);
	}

	private static Mono<Attempt> attempt(Mono<Answer> once, int misdirected, int deferred) {
		return once.map((answer) -> new Attempt(answer, misdirected, deferred))
			.defaultIfEmpty(new Attempt(null, misdirected, deferred));
	}

	private Mono<Attempt> again(Attempt last, Mono<Answer> once, Session session, boolean cleanup) {
		Budget budget = session.budget();
		Answer answer = last.answer();
		if (answer == null || answer.proves(session)
				|| (budget.isOver() && !(cleanup && last.deferred() < CLEANUP_TRIES))) {
			return Mono.empty();
		}
		Mono<Answer> next = cleanup ? once
				: Mono.defer(() -> budget.isOver() ? Mono.just(answer).filter((kept) -> !budget.isStopped()) : once);
		if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
			return (last.misdirected() == MISDIRECTED_AT_MOST) ? Mono.empty()
					: Mono.delay(MISDIRECTED_PAUSE, this.scheduler)
						.then(attempt(next, last.misdirected() + 1, last.deferred()));
		}
		String asked = answer.headers().getFirst(HttpHeaders.RETRY_AFTER);
		if (answer.status() != HttpStatus.TOO_MANY_REQUESTS.value() || asked == null) {
			return Mono.empty();
		}
		Duration pause = pause(asked, last.deferred());
		budget.excuse(pause);
		return Mono.delay(pause, this.scheduler)
			.takeUntilOther(cleanup ? Mono.never() : budget.whenStopped())
			.then(attempt(next, last.misdirected(), last.deferred() + 1));
	}

	/**
	 * Longer by a quarter each time, up to twice, and at random up to twice that:
	 * requests that were turned away together do not return together.
	 */
	private static Duration pause(String asked, int deferred) {
		long nanos = SECONDS.matcher(asked).matches() ? Duration.ofSeconds(Long.parseLong(asked)).toNanos()
				: LONGEST_PAUSE;
		long least = Math.min(Math.max(nanos, SHORTEST_PAUSE), LONGEST_PAUSE) * (4 + Math.min(deferred, 4)) / 4;
		return Duration.ofNanos(ThreadLocalRandom.current().nextLong(least, 2 * least + 1));
	}

	/** The answer to one sending; {@code null} when the end of the budget cut it. */
	private record Attempt(@Nullable Answer answer, int misdirected, int deferred) {

	}

	/**
	 * An answer, read to its end.
	 *
	 * @param latency from sending to the last byte
	 * @param body its text, or empty when it was longer than is read
	 */
	record Answer(int status, HttpHeaders headers, Duration latency, Optional<String> body) {

		/**
		 * Whether the answer proves to come from the claimant itself, or, where the
		 * gateway states that the route leads elsewhere, from another service. Whatever
		 * answers in place of a service, such as a cache or a fallback, has no proof.
		 */
		boolean proves(Session session) {
			String service = this.headers.getFirst(WarmupClaim.SERVICE_HEADER);
			return session.claim().instanceId().equals(this.headers.getFirst(WarmupClaim.INSTANCE_HEADER))
					|| (service != null && !service.equalsIgnoreCase(session.service()));
		}

		/** The figures of the gateway that routed the request. */
		Optional<JvmReading> gateway() {
			return Optional.ofNullable(this.headers.getFirst(JvmReading.HEADER)).flatMap(JvmReading::parse);
		}

	}

}
