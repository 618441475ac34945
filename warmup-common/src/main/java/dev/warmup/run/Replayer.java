package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.Capture;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.RequestSender.Answer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Replays scenarios with {@link WebClient} over Reactor Netty. Redirects are not
 * followed, an answer is read to its end, up to 1 MiB, and counts only with the proof
 * that it comes from the instance, or from the service that its route leads to.
 * Thread-safe.
 */
public class Replayer {

	private static final Logger logger = LoggerFactory.getLogger(Replayer.class);

	private final WebClient client;

	private final RequestSender sender = new RequestSender(Schedulers.parallel());

	/** Replays with this client, whose redirects and retries are turned off. */
	public Replayer(HttpClient httpClient) {
		this.client = WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(httpClient.followRedirect(false).disableRetry(true)))
			.build();
	}

	/**
	 * Replays a scenario once: its requests in order, each whatever became of the one
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
		return Mono.fromSupplier(() -> prepare(request, repetition.scope, repetition.session))
			.flatMap((prepared) -> this.sender.send(prepared, repetition.session, request.timeout(), cleanup))
			.materialize()
			.map((answer) -> repetition.judge(request, answer));
	}

	private WebClient.RequestHeadersSpec<?> prepare(RequestTemplate request, Scope scope, Session session) {
		WebClient.RequestBodySpec spec = this.client.method(request.method())
			.uri(URI.create(session.base() + request.uri(scope)))
			.headers((headers) -> {
				request.headers().forEach((name, value) -> headers.set(name, value.render(scope)));
				headers.set(WarmupClaim.HEADER, session.claim().format());
			});
		return request.body().<WebClient.RequestHeadersSpec<?>>map((body) -> {
			body.contentType()
				.filter((type) -> !request.headers().containsKey(HttpHeaders.CONTENT_TYPE))
				.ifPresent(spec::contentType);
			return spec.bodyValue(body.render(scope));
		}).orElse(spec);
	}

	/** One repetition of a scenario. Not thread-safe: one request at a time. */
	private static final class Repetition {

		private final Scenario scenario;

		private final Session session;

		/** What is captured by now. */
		private volatile Scope scope;

		Repetition(Scenario scenario, Session session) {
			this.scenario = scenario;
			this.session = session;
			this.scope = Scope.of(session.catalog());
		}

		/** Judges an answer, an error or the lack of both; keeps what is captured. */
		Outcome judge(RequestTemplate request, Signal<Answer> signal) {
			if (signal.getThrowable() != null) {
				return new Outcome.Failed(this.scenario, request, GatewayClient.rootMessage(signal.getThrowable()));
			}
			Answer answer = signal.get();
			if (answer == null) {
				return new Outcome.Cut(this.scenario, request);
			}
			return answer.body()
				.map((body) -> judge(request, answer, body))
				.orElseGet(() -> unexpected(request, answer,
						"answer larger than " + RequestSender.MAX_ANSWER.toMegabytes() + " MiB"));
		}

		private Outcome judge(RequestTemplate request, Answer answer, String body) {
			if (!answer.proves(this.session)) {
				return unexpected(request, answer, unproved(request, answer));
			}
			Optional<String> mismatch = request.expect().mismatch(answer.status(), answer.latency(), body);
			if (mismatch.isPresent()) {
				return unexpected(request, answer, mismatch.get());
			}
			Capture capture = request.capture(body);
			if (capture instanceof Capture.Missing missing) {
				return unexpected(request, answer, missing.problem());
			}
			if (capture instanceof Capture.Found found) {
				this.scope = this.scope.with(found.values());
			}
			return new Outcome.Answered(this.scenario, request, answer.latency(), answer.gateway());
		}

		/** The body of an answer without proof is not looked at. */
		private String unproved(RequestTemplate request, Answer answer) {
			if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
				return "421 of another instance, %d times in a row".formatted(RequestSender.MISDIRECTED_AT_MOST + 1);
			}
			return request.expect().status().matches(answer.status())
					? "%d without proof that %s answered".formatted(answer.status(), this.session.claim().instanceId())
					: request.expect().mismatch(answer.status(), Duration.ZERO, "").orElseThrow();
		}

		private Outcome unexpected(RequestTemplate request, Answer answer, String problem) {
			return new Outcome.Unexpected(this.scenario, request, answer.latency(), answer.status(), problem,
					answer.proves(this.session));
		}

	}

}
