package dev.warmup.run;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.warmup.Gateway;
import dev.warmup.WarmupClientCustomizer;
import dev.warmup.catalog.AnswerText;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Template;
import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Announcer;
import dev.warmup.service.Exchanges;
import dev.warmup.service.InternalPaths;
import dev.warmup.service.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Sends everything that this instance sends to gateways: news, warm-up requests, and
 * requests for their state; in tests, a user's requests to an application. Redirects are
 * not followed, and nothing is sent twice. A failure is a value. Thread-safe.
 */
public final class GatewayClient {

	/** A gateway reads this instance's state before it answers. */
	private static final Duration NEWS_LIMIT = Duration.ofSeconds(3);

	private static final Duration STATE_LIMIT = Duration.ofSeconds(2);

	private static final int MAX_ANSWER = 1024 * 1024;

	/**
	 * A cache at the gateway would answer with this instance's proof, also for others,
	 * and users with what was meant for warm-up.
	 */
	private static final String NO_CACHE = "no-store";

	/**
	 * Where Reactor looks for a handler of errors that come after cancellation: an answer
	 * that arrives at the very moment of the timeout ends in one, which would otherwise
	 * be logged as an ERROR.
	 */
	private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

	private static final Logger logger = LoggerFactory.getLogger(GatewayClient.class);

	/** Of a request, what goes with it as its {@link Departure}. */
	private static final String DEPARTURE = Departure.class.getName();

	/** For news and states. */
	private final WebClient client;

	/** For warm-up requests. */
	private final WebClient replay;

	private final Clock clock;

	private final Scheduler scheduler;

	private final Optional<Announcer> announcer;

	/**
	 * Sends with this client, whose redirects and retries are turned off. Customizers see
	 * neither tokens nor what the library sends for itself.
	 * @param announcer what news announces, where gateways have no registry
	 */
	GatewayClient(HttpClient httpClient, List<WarmupClientCustomizer> customizers, Optional<Announcer> announcer,
			Clock clock, Scheduler scheduler) {
		ReactorClientHttpConnector connector = new ReactorClientHttpConnector(
				httpClient.followRedirect(false).disableRetry(true));
		WebClient.Builder builder = WebClient.builder()
			.clientConnector(connector)
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(MAX_ANSWER));
		this.client = builder.build();
		customizers.forEach((customizer) -> customizer.customize(builder));
		this.replay = builder.clientConnector(connector).filter(this::depart).build();
		this.clock = clock;
		this.scheduler = scheduler;
		this.announcer = announcer;
	}

	/** Sends nothing but {@link #sendUnmarked}, by a client with this customization. */
	public GatewayClient(WarmupClientCustomizer customizer) {
		this(HttpClient.newConnection(), List.of(customizer), Optional.empty(), new MonotonicClock(),
				Schedulers.parallel());
	}

	/** Whether gateways have no registry. */
	boolean announces() {
		return this.announcer.isPresent();
	}

	/** Behind all other filters, where a request is marked and its time begins. */
	private Mono<ClientResponse> depart(ClientRequest request, ExchangeFunction next) {
		Departure departure = (Departure) request.attribute(DEPARTURE).orElseThrow();
		departure.time = this.clock.instant();
		return next.exchange(ClientRequest.from(request)
			.headers((headers) -> departure.mark.ifPresent((mark) -> headers.set(WarmupHeader.NAME, mark.format())))
			.build());
	}

	/** Tells a gateway that there is news of this instance; never fails. */
	Mono<NewsAnswer> news(Gateway gateway, String instanceId) {
		return tell(HttpMethod.POST, gateway, instanceId);
	}

	/**
	 * Tells a gateway that there is news of this instance, or with {@code PUT} only that
	 * it is there; never fails.
	 */
	Mono<NewsAnswer> tell(HttpMethod method, Gateway gateway, String instanceId) {
		if (gateway.uri().getHost() == null) {
			return Mono.just(NewsAnswer.refused(
					("gateway %s cannot be reached: %s has no valid host name, which has letters, digits, and hyphens;"
							+ " set eureka.instance.prefer-ip-address there, or warmup.gateway.url")
						.formatted(gateway.id(), gateway.uri()),
					true));
		}
		String path = InternalPaths.NEWS_PATH + UriUtils.encodePathSegment(instanceId, StandardCharsets.UTF_8);
		return Mono
			.defer(() -> announced(gateway,
					this.client.method(method)
						.uri(UriComponentsBuilder.fromUri(gateway.uri()).path(path).build(true).toUri())))
			.flatMap((request) -> request.exchangeToMono((response) -> response.bodyToMono(String.class)
				.defaultIfEmpty("")
				.map((body) -> judge(gateway, instanceId, response, body))))
			.timeout(NEWS_LIMIT, noAnswer(NEWS_LIMIT), this.scheduler)
			.onErrorResume((error) -> Mono.just(NewsAnswer
				.refused("gateway %s cannot be reached: %s".formatted(gateway.id(), rootMessage(error)), false)));
	}

	private Mono<WebClient.RequestHeadersSpec<?>> announced(Gateway gateway, WebClient.RequestBodySpec news) {
		return Mono.justOrEmpty(this.announcer)
			.publishOn(Schedulers.boundedElastic())
			.flatMap((own) -> Mono.fromCallable(() -> own.announce(gateway.uri()))).<WebClient
					.RequestHeadersSpec<?>>map(
							(signed) -> news.header(Announcement.SIGNATURE, signed.signature())
								.bodyValue(signed.body()))
			.defaultIfEmpty(news);
	}

	private static NewsAnswer judge(Gateway gateway, String instanceId, ClientResponse response, String body) {
		int status = response.statusCode().value();
		Optional<String> id = Optional.ofNullable(response.headers().asHttpHeaders().getFirst(WarmupHeader.GATEWAY));
		if (id.isEmpty()) {
			return NewsAnswer.refused(("gateway %s does not answer as one with warmup-common (%d to news); add"
					+ " dev.warmup:warmup-common to it, and do not set warmup.enabled=false there")
				.formatted(gateway.id(), status), status / 100 != 5);
		}
		return switch (status) {
			case 204 -> new NewsAnswer(id, "", false);
			case 404 -> NewsAnswer.refused("gateway %s does not know %s yet: its registry does not list this instance"
				.formatted(gateway.id(), instanceId), false);
			case 403 -> NewsAnswer.refused("gateway %s refuses this instance: %s".formatted(gateway.id(), body), true);
			case 502 -> NewsAnswer.refused("gateway %s %s".formatted(gateway.id(), body),
					!response.headers().asHttpHeaders().containsHeader(HttpHeaders.RETRY_AFTER));
			default -> NewsAnswer
				.refused("gateway %s answered news with %d %s".formatted(gateway.id(), status, body).strip(), false);
		};
	}

	/** Reads a gateway's state; empty unless it answers with one. */
	Mono<InstanceState> state(URI base, String instanceId) {
		return this.client.get()
			.uri(UriComponentsBuilder.fromUri(base)
				.path(InstanceState.PATH)
				.queryParam(InstanceState.GATEWAY_PARAMETER, UriUtils.encode(instanceId, StandardCharsets.UTF_8))
				.build(true)
				.toUri())
			.header(WarmupHeader.GATEWAY, instanceId)
			.exchangeToMono((response) -> (response.statusCode().value() == 200)
					? DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), InstanceState.MAX_BYTES)
						.map((buffer) -> InstanceState.fromJson(Exchanges.bytes(buffer)))
					: response.releaseBody().then(Mono.empty()))
			.timeout(STATE_LIMIT, this.scheduler)
			.onErrorResume((error) -> {
				logger.debug("{} has no state to read: {}", base, rootMessage(error));
				return Mono.empty();
			});
	}

	/**
	 * Prepares a request, which is the same however often it is sent.
	 * @param scope the values known by now
	 * @throws UncheckedIOException if a file cannot be read; its message says why
	 */
	WebClient.RequestHeadersSpec<?> prepare(Gateway gateway, RequestTemplate request, Template.Scope scope) {
		String address = gateway.uri().toString();
		String base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
		WebClient.RequestBodySpec spec = this.replay.method(request.method())
			.uri(URI.create(base + request.uri(scope)))
			.headers((headers) -> {
				headers.setCacheControl(NO_CACHE);
				request.headers().forEach((name, value) -> headers.set(name, value.render(scope)));
			});
		request.contentType().ifPresent(spec::contentType);
		return request.content(scope).<WebClient.RequestHeadersSpec<?>>map(spec::bodyValue).orElse(spec);
	}

	/**
	 * Sends a request once, and reads its answer to the end; fails without an answer, or
	 * with one that cannot be read. Without a mark it is a user's.
	 */
	Mono<Answer> send(WebClient.RequestHeadersSpec<?> request, Optional<WarmupHeader> mark, Duration timeout) {
		return Mono.defer(() -> {
			Departure departure = new Departure(mark, this.clock.instant());
			return request.attribute(DEPARTURE, departure).exchangeToMono((response) -> read(response, departure.time));
		})
			.timeout(timeout, noAnswer(timeout), this.scheduler)
			.contextWrite((context) -> context.put(ON_ERROR_DROPPED,
					(Consumer<Throwable>) (error) -> logger.debug("After the timeout: {}", error.toString())));
	}

	/** Sends a request to an application itself, as a user would; never fails. */
	public Mono<Outcome> sendUnmarked(URI application, RequestTemplate request, Template.Scope scope) {
		return Mono.fromCallable(() -> prepare(new Gateway("", application), request, scope))
			.flatMap((prepared) -> send(prepared, Optional.empty(), request.timeout()))
			.map((answer) -> Outcome.of(answer, request, true))
			.onErrorResume((error) -> Mono.just(new Outcome.Unanswered(rootMessage(error))));
	}

	private Mono<Answer> read(ClientResponse response, Instant start) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), MAX_ANSWER)
			.map(Exchanges::bytes)
			.defaultIfEmpty(new byte[0])
			.map((body) -> AnswerText.read(headers, body, MAX_ANSWER))
			.onErrorReturn(DataBufferLimitException.class, Optional.empty())
			.map((text) -> new Answer(response.statusCode().value(), headers,
					Duration.between(start, this.clock.instant()), text));
	}

	private static <T> Mono<T> noAnswer(Duration limit) {
		return Mono.error(() -> new TimeoutException("no answer within " + limit.toMillis() + " ms"));
	}

	/** The message of what went wrong below {@link WebClient}. */
	static String rootMessage(Throwable error) {
		Throwable cause = (error instanceof WebClientRequestException && error.getCause() != null) ? error.getCause()
				: error;
		return String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName());
	}

	/** What marks a request, and when it was sent. */
	private static final class Departure {

		private final Optional<WarmupHeader> mark;

		private volatile Instant time;

		private Departure(Optional<WarmupHeader> mark, Instant time) {
			this.mark = mark;
			this.time = time;
		}

	}

	/**
	 * A gateway's answer to news.
	 *
	 * @param gatewayId its instance id, if it has looked at this instance
	 * @param problem why it has not
	 * @param lasting whether waiting does not help
	 */
	record NewsAnswer(Optional<String> gatewayId, String problem, boolean lasting) {

		static NewsAnswer refused(String problem, boolean lasting) {
			return new NewsAnswer(Optional.empty(), problem, lasting);
		}

	}

	/** An answer, read to its end; its text is empty if it was longer than 1 MiB. */
	record Answer(int status, HttpHeaders headers, Duration latency, Optional<String> text) {

		/** Whether the gateway asks to wait for other warm-up. */
		boolean isAdmission() {
			return this.status == 429 && this.headers.containsHeader(WarmupHeader.ADMISSION);
		}

		/** Whether the gateway, or its security, did not accept the token. */
		boolean isRejected() {
			return this.status == 401 && instance().isEmpty() && service().isEmpty();
		}

		/** The instance that proves to have answered. */
		Optional<String> instance() {
			return Optional.ofNullable(this.headers.getFirst(WarmupHeader.INSTANCE));
		}

		/** The service that the route leads to. */
		Optional<String> service() {
			return Optional.ofNullable(this.headers.getFirst(WarmupHeader.SERVICE));
		}

	}

}
