package dev.warmup.run;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import dev.warmup.Gateway;
import dev.warmup.protocol.WarmupClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/** Speaks with {@link WebClient}. A gateway has 5 s to answer. */
public final class WebClientGatewayClient implements GatewayClient {

	private static final Logger logger = LoggerFactory.getLogger(WebClientGatewayClient.class);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private final WebClient client;

	/**
	 * Creates a door.
	 * @param client what to send with
	 */
	public WebClientGatewayClient(WebClient client) {
		this.client = client;
	}

	@Override
	public Mono<RegistrationCheck> knock(Gateway gateway, WarmupClaim claim) {
		return send(HttpMethod.GET, gateway, claim).map((answer) -> heard(answer, gateway, claim))
			.onErrorResume((error) -> Mono.just(new RegistrationCheck.NotYet(
					"gateway %s cannot be reached: %s".formatted(gateway.id(), describe(error)))));
	}

	private static RegistrationCheck heard(ResponseEntity<Void> answer, Gateway gateway, WarmupClaim claim) {
		if (!answer.getHeaders().containsHeader(WarmupClaim.GATEWAY_HEADER)) {
			return new RegistrationCheck.NoDoor();
		}
		int status = answer.getStatusCode().value();
		if (status == HttpStatus.NO_CONTENT.value()) {
			return new RegistrationCheck.Known();
		}
		if (status == HttpStatus.NOT_FOUND.value() || status == HttpStatus.FORBIDDEN.value()) {
			return new RegistrationCheck.NotYet(
					"gateway %s does not know %s yet".formatted(gateway.id(), claim.instanceId()));
		}
		return new RegistrationCheck.NotYet(
				"gateway %s cannot look %s up now: %d".formatted(gateway.id(), claim.instanceId(), status));
	}

	@Override
	public Mono<Boolean> leave(Gateway gateway, WarmupClaim claim) {
		return send(HttpMethod.DELETE, gateway, claim)
			.map((answer) -> answer.getStatusCode().value() == HttpStatus.NO_CONTENT.value()
					&& answer.getHeaders().containsHeader(WarmupClaim.GATEWAY_HEADER))
			.onErrorResume((error) -> {
				logger.debug("Gateway {} was not told that this instance stops: {}", gateway.id(), describe(error));
				return Mono.just(false);
			});
	}

	private Mono<ResponseEntity<Void>> send(HttpMethod method, Gateway gateway, WarmupClaim claim) {
		return Mono
			.defer(() -> this.client.method(method)
				.uri(uri(gateway, claim))
				.header(WarmupClaim.HEADER, claim.format())
				.exchangeToMono((response) -> response.releaseBody()
					.thenReturn(ResponseEntity.status(response.statusCode())
						.headers(response.headers().asHttpHeaders())
						.<Void>build())))
			.timeout(LIMIT);
	}

	private static URI uri(Gateway gateway, WarmupClaim claim) {
		return UriComponentsBuilder.fromUri(gateway.uri())
			.path(PATH + UriUtils.encodePathSegment(claim.instanceId(), StandardCharsets.UTF_8))
			.build(true)
			.toUri();
	}

	private static String describe(Throwable error) {
		if (error instanceof TimeoutException) {
			return "no answer within " + LIMIT.toSeconds() + " s";
		}
		Throwable cause = (error instanceof WebClientRequestException && error.getCause() != null) ? error.getCause()
				: error;
		return String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName());
	}

}
