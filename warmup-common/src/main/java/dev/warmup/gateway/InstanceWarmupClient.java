package dev.warmup.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.InstanceMetadata;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;

/** Asks one instance, at the address where it is registered, to warm this gateway. */
public final class InstanceWarmupClient {

	private static final Duration LIMIT = Duration.ofSeconds(8);

	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final WebClient client;

	private final InstanceSource self;

	private final WarmupToken token;

	/**
	 * Creates the asker.
	 * @param client what to send with
	 * @param self who this gateway is
	 * @param token proves it
	 */
	public InstanceWarmupClient(WebClient client, InstanceSource self, WarmupToken token) {
		this.client = client;
		this.self = self;
		this.token = token;
	}

	/**
	 * Asks.
	 * @param instance whom to ask
	 * @param trigger what the run is for
	 * @return what came of it; never empty, never fails
	 */
	Mono<GatewayWarmupResult> ask(ServiceInstance instance, Trigger trigger) {
		return Mono.defer(() -> send(instance, trigger))
			.timeout(LIMIT)
			.onErrorResume((error) -> Mono
				.just(new GatewayWarmupResult.Unable(name(instance) + " cannot be asked: " + error)));
	}

	private Mono<GatewayWarmupResult> send(ServiceInstance instance, Trigger trigger) {
		String id = this.self.get().instanceId();
		WarmupClaim claim = new WarmupClaim(id, Optional.of(this.token.value()), IDS.generateId().toString());
		return this.client.post()
			.uri(uri(instance, id, trigger))
			.header(WarmupClaim.HEADER, claim.format())
			.exchangeToMono((response) -> answer(response, name(instance)));
	}

	private static URI uri(ServiceInstance instance, String gatewayId, Trigger trigger) {
		return UriComponentsBuilder.fromUri(InstanceAddress.uri(instance))
			.path(Optional.ofNullable(instance.getMetadata())
				.map((metadata) -> metadata.get(InstanceMetadata.BASE_PATH_KEY))
				.orElse(""))
			.path(InternalPaths.ASK_PATH)
			.pathSegment(gatewayId)
			.queryParam("trigger", trigger.name().toLowerCase(Locale.ROOT))
			.encode()
			.build()
			.toUri();
	}

	private static Mono<GatewayWarmupResult> answer(ClientResponse response, String instance) {
		HttpStatusCode status = response.statusCode();
		if (status.isSameCodeAs(HttpStatus.ACCEPTED)) {
			return response.bodyToMono(String.class)
				.publishOn(Schedulers.boundedElastic()) // the parser may wait for a lock
				.<GatewayWarmupResult>map((body) -> started(body, instance))
				.switchIfEmpty(Mono.fromSupplier(() -> nameless(instance)));
		}
		return response.releaseBody().thenReturn(otherwise(status.value(), instance));
	}

	private static GatewayWarmupResult otherwise(int status, String instance) {
		return switch (status) {
			case 403 ->
				new GatewayWarmupResult.Denied(instance + " does not believe that this is a registered gateway (403)");
			case 404 -> new GatewayWarmupResult.Refused(instance + " does not warm (404)");
			case 409 -> new GatewayWarmupResult.Unable(instance + " is busy with another run (409)");
			default -> new GatewayWarmupResult.Unable(instance + " answered " + status);
		};
	}

	private static String name(ServiceInstance instance) {
		return instance.getServiceId() + "/" + instance.getInstanceId();
	}

	private static GatewayWarmupResult started(String body, String instance) {
		String run = JsonMapper.shared().readTree(body).path("run").asString("");
		return run.isEmpty() ? nameless(instance) : new GatewayWarmupResult.Started(run);
	}

	private static GatewayWarmupResult nameless(String instance) {
		return new GatewayWarmupResult.Unable(instance + " did not say which run it started");
	}

}
