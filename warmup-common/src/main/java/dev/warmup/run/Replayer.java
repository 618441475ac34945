package dev.warmup.run;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Template;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.WarmupClaim;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Replays scenarios with {@link WebClient} over Reactor Netty. Redirects are not
 * followed, an answer is read to its end, up to 1 MiB, and counts only with the proof
 * that it comes from the instance, or from the service that its route leads to.
 * <p>
 * A request is sent again only while it is rejected unread: by another instance (421), at
 * most {@value #MISDIRECTED_AT_MOST} times, or by a gateway that is busy (429 with
 * {@code Retry-After}). How long to wait then is the gateway's decision, not a back-off,
 * and does not count against the budget. Thread-safe.
 */
class Replayer {

	/** Enough to reach each of a few instances behind one address. */
	private static final int MISDIRECTED_AT_MOST = 20;

	private static final DataSize MAX_ANSWER = DataSize.ofMegabytes(1);

	private static final Duration MISDIRECTED_PAUSE = Duration.ofMillis(10);

	private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

	/**
	 * How long answers are waited for that are due when the budget ends. A request that
	 * is canceled is canceled in the service too, and may leave a pooled connection lost,
	 * or with a transaction open (<a href=
	 * "https://github.com/spring-projects/spring-framework/issues/32115">spring-framework#32115</a>).
	 */
	private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

	/** How often a cleanup request may be deferred once the budget is spent. */
	private static final int CLEANUP_TRIES = 3;

	/**
	 * A cache at the gateway would answer with this instance's proof, also for others,
	 * and users with what was meant for warm-up.
	 */
	private static final String NO_CACHE = "no-store";

	private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

	/**
	 * Where Reactor looks for a handler of errors that come after cancellation: an answer
	 * that arrives at the very moment of the timeout ends in one, which would otherwise
	 * be logged as an ERROR.
	 */
	private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

	private static final Logger logger = LoggerFactory.getLogger(Replayer.class);

	private final WebClient client;

	private final Scheduler scheduler;

	/** Replays with this client, whose redirects and retries are turned off. */
	Replayer(HttpClient httpClient, Scheduler scheduler) {
		this.client = WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(httpClient.followRedirect(false).disableRetry(true)))
			.build();
		this.scheduler = scheduler;
	}

	/**
	 * Replays a scenario once: its requests in order, each whatever the result of the one
	 * before, then its {@code finally} requests. Requests whose placeholders are not
	 * known are not sent. Once the session is over only {@code finally} requests are, and
	 * nothing at all of a repetition that would begin then.
	 * @return the outcomes in the order of sending; never fails
	 */
	public Flux<Outcome> replay(Scenario scenario, Session session) {
		return Flux.defer(() -> {
			if (session.budget().isOver()) {
				return Flux.empty();
			}
			Repetition repetition = new Repetition(scenario, session);
			Flux<Outcome> requests = Flux.fromIterable(scenario.requests())
				.takeWhile((request) -> !session.budget().isOver())
				.concatMap((request) -> send(request, repetition, false), 0);
			Flux<Outcome> cleanup = Flux.fromIterable(scenario.cleanup())
				.concatMap((request) -> send(request, repetition, true), 0);
			return requests.concatWith(cleanup);
		});
	}

	private Mono<Outcome> send(RequestTemplate request, Repetition repetition, boolean cleanup) {
		return Mono
			.defer(() -> request.renderable(repetition.scope) ? exchange(request, repetition, cleanup)
					: Mono.just(new Outcome.NotSent(repetition.scenario, request)))
			.doOnNext((outcome) -> logger.debug("{}/{}: {} after {}", outcome.scenario().name(),
					outcome.request().name(), outcome.getClass().getSimpleName(), outcome.latency()));
	}

	/** Rendered once, so that what is sent again is the same. */
	private Mono<Outcome> exchange(RequestTemplate request, Repetition repetition, boolean cleanup) {
		Session session = repetition.session;
		return session.whenDue()
			.then(Mono.fromSupplier(() -> prepare(request, repetition.scope, session)))
			.flatMap((prepared) -> resend(once(prepared, session, request.timeout(), cleanup), session, cleanup))
			.materialize()
			.map((answer) -> repetition.judge(request, answer));
	}

	private WebClient.RequestHeadersSpec<?> prepare(RequestTemplate request, Template.Scope scope, Session session) {
		WebClient.RequestBodySpec spec = this.client.method(request.method())
			.uri(URI.create(session.base() + request.uri(scope)))
			.headers((headers) -> {
				headers.setCacheControl(NO_CACHE);
				request.headers().forEach((name, value) -> headers.set(name, value.render(scope)));
			});
		request.contentType().ifPresent(spec::contentType);
		return request.content(scope).<WebClient.RequestHeadersSpec<?>>map(spec::bodyValue).orElse(spec);
	}

	/**
	 * Sends once, with a claim that is valid now; empty when the end of the budget
	 * canceled it, fails without an answer.
	 */
	static Mono<Answer> once(WebClient.RequestHeadersSpec<?> request, Session session, Duration timeout,
			boolean cleanup) {
		return Mono.defer(() -> {
			Duration limit = limit(session.budget().remaining(), timeout);
			boolean canceled = !cleanup && limit.compareTo(timeout) < 0;
			long start = System.nanoTime();
			return request.headers((headers) -> headers.set(WarmupClaim.HEADER, session.claim().format()))
				.exchangeToMono((response) -> read(response, start))
				.timeout(limit,
						canceled ? Mono.empty()
								: Mono
									.error(() -> new TimeoutException("no answer within " + limit.toMillis() + " ms")))
				.contextWrite((context) -> context.put(ON_ERROR_DROPPED,
						(Consumer<Throwable>) (error) -> logger.debug("After the timeout: {}", error.toString())));
		});
	}

	/**
	 * What is left of the budget and a little more, so that few requests are canceled.
	 */
	static Duration limit(Duration remaining, Duration timeout) {
		Duration most = remaining.plus(LAST_ANSWERS);
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
					latency(start, response.headers().asHttpHeaders()), body));
	}

	/** Without what the request waited at the gateway for others that are warmed. */
	private static Duration latency(long start, HttpHeaders headers) {
		Duration passed = Duration.ofNanos(System.nanoTime() - start);
		Duration queued = Optional.ofNullable(headers.getFirst(WarmupClaim.QUEUED_HEADER))
			.filter((millis) -> NUMBER.matcher(millis).matches())
			.map((millis) -> Duration.ofMillis(Long.parseLong(millis)))
			.orElse(Duration.ZERO);
		return (queued.compareTo(passed) < 0) ? passed.minus(queued) : passed;
	}

	/**
	 * Subscribes again while the request is rejected.
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
		if (answer == null || answer.proves(session)) {
			return Mono.empty();
		}
		boolean misdirected = answer.status() == HttpStatus.MISDIRECTED_REQUEST.value();
		String retryAfter = answer.headers().getFirst(HttpHeaders.RETRY_AFTER);
		boolean busy = answer.status() == HttpStatus.TOO_MANY_REQUESTS.value();
		if (misdirected ? last.misdirected() == MISDIRECTED_AT_MOST : (!busy || retryAfter == null)) {
			return Mono.empty();
		}
		if (budget.isOver() && !(cleanup && last.deferred() < CLEANUP_TRIES)) {
			// A rejection shows nothing about the service, unless the gateway was busy
			// for as long as a run waits for it.
			boolean isAnswer = cleanup || (budget.isFullyExtended() && !budget.isStopped());
			return isAnswer ? Mono.empty() : Mono.just(new Attempt(null, last.misdirected(), last.deferred()));
		}
		Mono<Answer> next = session.whenDue()
			.then(cleanup ? once : Mono.defer(() -> budget.isOver() ? Mono.just(answer) : once));
		if (misdirected || retryAfter == null) {
			return Mono.delay(MISDIRECTED_PAUSE, this.scheduler)
				.then(attempt(next, last.misdirected() + 1, last.deferred()));
		}
		Duration pause = pause(retryAfter, last.deferred());
		budget.extend(pause);
		return Mono.delay(pause, this.scheduler)
			.takeUntilOther(cleanup ? Mono.never() : budget.whenStopped())
			.then(attempt(next, last.misdirected(), last.deferred() + 1));
	}

	/**
	 * Longer by a quarter each time, up to twice, and at random up to twice that:
	 * requests that were rejected together do not return together.
	 */
	private static Duration pause(String retryAfter, int deferred) {
		long nanos = NUMBER.matcher(retryAfter).matches() ? Duration.ofSeconds(Long.parseLong(retryAfter)).toNanos()
				: LONGEST_PAUSE;
		long least = Math.min(Math.max(nanos, SHORTEST_PAUSE), LONGEST_PAUSE) * (4 + Math.min(deferred, 4)) / 4;
		return Duration.ofNanos(ThreadLocalRandom.current().nextLong(least, 2 * least + 1));
	}

	/** One repetition of a scenario. Not thread-safe: one request at a time. */
	private static final class Repetition {

		private final Scenario scenario;

		private final Session session;

		/** What is captured by now. */
		private volatile Template.Scope scope;

		Repetition(Scenario scenario, Session session) {
			this.scenario = scenario;
			this.session = session;
			this.scope = Template.Scope.of(session.catalog());
		}

		/** Judges an answer, an error or the lack of both; keeps what is captured. */
		Outcome judge(RequestTemplate request, Signal<Answer> signal) {
			if (signal.getThrowable() != null) {
				return new Outcome.Failed(this.scenario, request, GatewayClient.rootMessage(signal.getThrowable()));
			}
			Answer answer = signal.get();
			if (answer == null) {
				return new Outcome.Canceled(this.scenario, request);
			}
			return answer.body()
				.map((body) -> judge(request, answer, body))
				.orElseGet(
						() -> unexpected(request, answer, "answer larger than " + MAX_ANSWER.toMegabytes() + " MiB"));
		}

		private Outcome judge(RequestTemplate request, Answer answer, String body) {
			if (!answer.proves(this.session)) {
				return unexpected(request, answer, unproved(request, answer));
			}
			Optional<String> mismatch = request.expect().mismatch(answer.status(), body);
			if (mismatch.isPresent()) {
				return unexpected(request, answer, mismatch.get());
			}
			RequestTemplate.Capture capture = request.capture(body);
			if (capture instanceof RequestTemplate.Capture.Missing missing) {
				return unexpected(request, answer, missing.problem());
			}
			if (capture instanceof RequestTemplate.Capture.Found found) {
				this.scope = this.scope.with(found.values());
			}
			Optional<String> late = request.expect().late(answer.latency());
			boolean own = answer.isOwn(this.session);
			return late
				.<Outcome>map((problem) -> new Outcome.Late(this.scenario, request, answer.latency(), problem, own))
				.orElseGet(() -> new Outcome.Answered(this.scenario, request, answer.latency(), answer.gateway(), own));
		}

		/** The body of an answer without proof is not looked at. */
		private String unproved(RequestTemplate request, Answer answer) {
			if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
				return "another instance answered (421), %d times in a row".formatted(MISDIRECTED_AT_MOST + 1);
			}
			return request.expect().accepts(answer.status())
					? "%d without proof that %s answered".formatted(answer.status(), this.session.claim().instanceId())
					: request.expect().mismatch(answer.status(), "").orElseThrow();
		}

		private Outcome unexpected(RequestTemplate request, Answer answer, String problem) {
			return new Outcome.Unexpected(this.scenario, request, answer.latency(), answer.status(), problem,
					answer.proves(this.session));
		}

	}

	/** The answer to one sending; {@code null} when the end of the budget canceled it. */
	private record Attempt(@Nullable Answer answer, int misdirected, int deferred) {

	}

	/**
	 * An answer, read to its end.
	 *
	 * @param latency from sending to the last byte, without waits for others
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
			return isOwn(session) || (service != null && !service.equalsIgnoreCase(session.service()));
		}

		/** Whether the claimant itself answered. */
		boolean isOwn(Session session) {
			return session.claim().instanceId().equals(this.headers.getFirst(WarmupClaim.INSTANCE_HEADER));
		}

		/** The figures of the gateway that routed the request. */
		Optional<JvmSnapshot> gateway() {
			return Optional.ofNullable(this.headers.getFirst(JvmSnapshot.HEADER)).flatMap(JvmSnapshot::parse);
		}

	}

}
