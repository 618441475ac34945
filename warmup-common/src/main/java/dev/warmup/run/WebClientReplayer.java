package dev.warmup.run;

import java.net.URI;

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
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Sends requests with {@link WebClient} over Reactor Netty. Redirects are not followed,
 * an answer is read to its end, up to 1 MiB, and counts only with the proof that it comes
 * from where it should. A request is sent again only while it is turned away unread: by
 * another instance (421), at most 20 times, or by a gateway that has enough to do for now
 * (429 with {@code Retry-After}), where the wait does not count.
 */
public final class WebClientReplayer implements Replayer {

	private static final Logger logger = LoggerFactory.getLogger(WebClientReplayer.class);

	private final WebClient client;

	private final Resending resending = new Resending(Schedulers.parallel());

	/**
	 * Creates a replayer.
	 * @param httpClient the client to send with; its redirects and retries are turned off
	 */
	public WebClientReplayer(HttpClient httpClient) {
		this.client = WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(httpClient.followRedirect(false).disableRetry(true)))
			.build();
	}

	@Override
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
			.defer(() -> request.renderable(repetition.scope())
					? reply(request, repetition, cleanup).map((reply) -> repetition.judge(request, reply))
					: Mono.just(repetition.notSent(request)))
			.doOnNext((outcome) -> logger.debug("{}/{}: {} after {}", outcome.scenario().name(),
					outcome.request().name(), outcome.getClass().getSimpleName(), outcome.latency()));
	}

	/** Rendered once, so that what is sent again is the same. */
	private Mono<Reply> reply(RequestTemplate request, Repetition repetition, boolean cleanup) {
		return Mono.fromSupplier(() -> prepare(request, repetition.scope(), repetition.session()))
			.map((spec) -> new PreparedRequest(spec, repetition.session(), request.timeout(), cleanup))
			.flatMap((sending) -> this.resending.send(sending.once(), sending.session(), cleanup))
			.onErrorResume((error) -> Mono.just(new Reply.Silence(PreparedRequest.describe(error))));
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

}
