package dev.warmup.replay;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import dev.warmup.catalog.Capture;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;
import dev.warmup.traffic.WarmupClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * Sends requests with {@link WebClient} over Reactor Netty. Redirects are not followed,
 * nothing is sent twice, and an answer is read to its end, up to 1 MiB.
 */
public final class WebClientReplayer implements Replayer {

	private static final Logger logger = LoggerFactory.getLogger(WebClientReplayer.class);

	private static final DataSize MAX_ANSWER = DataSize.ofMegabytes(1);

	/** What a gateway answers where it has no route, no instance, or no connection. */
	private static final Set<Integer> GATEWAYS_OWN = Set.of(404, 502, 503, 504);

	private final WebClient client;

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
				.concatMap((request) -> send(request, repetition, session.limit(request.timeout())), 0);
			Flux<Outcome> cleanup = Flux.fromIterable(scenario.cleanup())
				.concatMap((request) -> send(request, repetition, session.cleanupLimit(request.timeout())), 0);
			return requests.concatWith(cleanup);
		});
	}

	private Mono<Outcome> send(RequestTemplate request, Repetition repetition, Duration limit) {
		return Mono.defer(() -> {
			Scope scope = repetition.scope;
			if (!request.renderable(scope)) {
				return Mono.just(new Outcome.NotSent(repetition.scenario, request));
			}
			long start = System.nanoTime();
			return Mono
				.defer(() -> prepare(request, scope, repetition.session)
					.exchangeToMono((response) -> outcome(request, repetition, response, start)))
				.timeout(limit)
				.onErrorResume((error) -> Mono.just(failed(request, repetition.scenario, error, limit)));
		})
			.doOnNext((outcome) -> logger.debug("{}/{}: {} after {}", outcome.scenario().name(),
					outcome.request().name(), outcome.getClass().getSimpleName(), outcome.latency()));
	}

	private WebClient.RequestHeadersSpec<?> prepare(RequestTemplate request, Scope scope, Session session) {
		WebClient.RequestBodySpec spec = this.client.method(request.method())
			.uri(URI.create(session.base() + request.uri(scope)))
			.headers((headers) -> {
				request.headers().forEach((name, value) -> headers.set(name, value.render(scope)));
				headers.set(WarmupClaim.HEADER, session.claim());
			});
		return request.body().<WebClient.RequestHeadersSpec<?>>map((body) -> {
			body.contentType()
				.filter((type) -> !request.headers().containsKey(HttpHeaders.CONTENT_TYPE))
				.ifPresent(spec::contentType);
			return spec.bodyValue(body.render(scope));
		}).orElse(spec);
	}

	private static Mono<String> body(ClientResponse response) {
		return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), Math.toIntExact(MAX_ANSWER.toBytes()))
			.map((buffer) -> {
				String text = buffer.toString(StandardCharsets.UTF_8);
				DataBufferUtils.release(buffer);
				return text;
			})
			.defaultIfEmpty("");
	}

	private static Mono<Outcome> outcome(RequestTemplate request, Repetition repetition, ClientResponse response,
			long start) {
		return body(response)
			.map((body) -> judge(request, repetition, response, Duration.ofNanos(System.nanoTime() - start), body))
			.onErrorResume(DataBufferLimitException.class,
					(error) -> Mono.just(new Outcome.Unexpected(repetition.scenario, request,
							Duration.ofNanos(System.nanoTime() - start), response.statusCode().value(),
							"answer larger than " + MAX_ANSWER.toMegabytes() + " MiB", byService(response))));
	}

	private static Outcome judge(RequestTemplate request, Repetition repetition, ClientResponse response,
			Duration latency, String body) {
		int status = response.statusCode().value();
		Scenario scenario = repetition.scenario;
		Optional<String> mismatch = request.expect().mismatch(status, latency, body);
		if (mismatch.isPresent()) {
			return new Outcome.Unexpected(scenario, request, latency, status, mismatch.get(), byService(response));
		}
		Capture capture = request.capture(body);
		if (capture instanceof Capture.Missing missing) {
			return new Outcome.Unexpected(scenario, request, latency, status, missing.problem(), byService(response));
		}
		if (capture instanceof Capture.Found found) {
			repetition.scope = repetition.scope.with(found.values());
		}
		return new Outcome.Answered(scenario, request, latency);
	}

	/**
	 * A service that has this library says who it is; of others only such answers are
	 * taken for theirs as a gateway does not give by itself.
	 */
	private static boolean byService(ClientResponse response) {
		return response.headers().asHttpHeaders().containsHeader(WarmupClaim.INSTANCE_HEADER)
				|| !GATEWAYS_OWN.contains(response.statusCode().value());
	}

	private static Outcome failed(RequestTemplate request, Scenario scenario, Throwable error, Duration limit) {
		if (error instanceof TimeoutException) {
			boolean cut = limit.compareTo(request.timeout()) < 0 && !scenario.cleanup().contains(request);
			return cut ? new Outcome.Cut(scenario, request)
					: new Outcome.Failed(scenario, request, "no answer within " + limit.toMillis() + " ms");
		}
		return new Outcome.Failed(scenario, request, describe(error));
	}

	private static String describe(Throwable error) {
		Throwable cause = (error instanceof WebClientRequestException && error.getCause() != null) ? error.getCause()
				: error;
		return String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName());
	}

	/** One repetition; its requests come one after another. */
	private static final class Repetition {

		private final Scenario scenario;

		private final Session session;

		private volatile Scope scope;

		Repetition(Scenario scenario, Session session) {
			this.scenario = scenario;
			this.session = session;
			this.scope = Scope.of(session.catalog());
		}

	}

}
