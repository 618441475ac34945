package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.Capture;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;
import dev.warmup.protocol.WarmupClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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

	/**
	 * Creates a replayer.
	 * @param httpClient the client to send with; its redirects and retries are turned off
	 */
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
	 * @param scenario what to send
	 * @param session the run that sends it, and the gateway it goes through
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
			.defer(() -> request.renderable(repetition.scope)
					? reply(request, repetition, cleanup).map((reply) -> repetition.judge(request, reply))
					: Mono.just(new Outcome.NotSent(repetition.scenario, request)))
			.doOnNext((outcome) -> logger.debug("{}/{}: {} after {}", outcome.scenario().name(),
					outcome.request().name(), outcome.getClass().getSimpleName(), outcome.latency()));
	}

	/** Rendered once, so that what is sent again is the same. */
	private Mono<Reply> reply(RequestTemplate request, Repetition repetition, boolean cleanup) {
		return Mono.fromSupplier(() -> prepare(request, repetition.scope, repetition.session))
			.flatMap((prepared) -> this.sender.send(prepared, repetition.session, request.timeout(), cleanup))
			.onErrorResume((error) -> Mono.just(new Reply.Silence(GatewayClient.rootMessage(error))));
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

		/** Judges a reply, and keeps what is captured from it. */
		Outcome judge(RequestTemplate request, Reply reply) {
			if (reply instanceof Reply.Answer answer) {
				return answer.body()
					.map((body) -> judge(request, answer, body))
					.orElseGet(() -> unexpected(request, answer,
							"answer larger than " + RequestSender.MAX_ANSWER.toMegabytes() + " MiB"));
			}
			return (reply instanceof Reply.Silence silence)
					? new Outcome.Failed(this.scenario, request, silence.problem())
					: new Outcome.Cut(this.scenario, request);
		}

		private Outcome judge(RequestTemplate request, Reply.Answer answer, String body) {
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
			return new Outcome.Answered(this.scenario, request, answer.latency(), answer.gateway(),
					answer.isOwn(this.session));
		}

		/** The body of an answer without proof is not looked at. */
		private String unproved(RequestTemplate request, Reply.Answer answer) {
			if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
				return "421 of another instance, %d times in a row".formatted(RequestSender.MISDIRECTED_AT_MOST + 1);
			}
			return request.expect().status().matches(answer.status())
					? "%d without proof that %s answered".formatted(answer.status(), this.session.claim().instanceId())
					: request.expect().mismatch(answer.status(), Duration.ZERO, "").orElseThrow();
		}

		private Outcome unexpected(RequestTemplate request, Reply.Answer answer, String problem) {
			return new Outcome.Unexpected(this.scenario, request, answer.latency(), answer.status(), problem,
					answer.proves(this.session));
		}

	}

}
