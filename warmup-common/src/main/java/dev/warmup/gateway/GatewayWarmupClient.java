package dev.warmup.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.InstanceMetadata;
import dev.warmup.gateway.GatewayWarmupResult.Failed;
import dev.warmup.gateway.GatewayWarmupResult.Reason;
import dev.warmup.gateway.GatewayWarmupResult.Started;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.http.HttpStatus;
import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;

/** Requests one instance, at its registered address, to warm this gateway. */
final class GatewayWarmupClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(8);

	/** Unlike {@code UUID.randomUUID()}, it does not block on the system's entropy. */
	private static final IdGenerator IDS = new AlternativeJdkIdGenerator();

	private final WebClient client;

	private final InstanceSource self;

	private final WarmupKey key;

	/**
	 * Creates the client.
	 * @param client sends the requests
	 * @param self the identity of this gateway
	 * @param key proves it
	 */
	GatewayWarmupClient(WebClient client, InstanceSource self, WarmupKey key) {
		this.client = client;
		this.self = self;
		this.key = key;
	}

	/**
	 * Sends a request.
	 * @param instance the instance
	 * @param trigger the trigger of the run
	 * @return {@link Started} or {@link Failed}; never empty, never an error
	 */
	Mono<GatewayWarmupResult> send(ServiceInstance instance, Trigger trigger) {
		String name = instance.getServiceId() + "/" + instance.getInstanceId();
		return Mono.fromSupplier(() -> this.self.get().instanceId())
			.flatMap((gateway) -> this.client.post()
				.uri(uri(instance, gateway, trigger))
				.header(WarmupClaim.HEADER, claim(gateway, instance).format())
				.exchangeToMono((response) -> result(response, name)))
			.timeout(TIMEOUT)
			.onErrorResume((error) -> Mono.just(Failed.temporarily(name + " cannot be reached: " + error)));
	}

	/** No run of this gateway's exists yet; each request has an id of its own. */
	private WarmupClaim claim(String gateway, ServiceInstance instance) {
		String receiver = Optional.ofNullable(instance.getInstanceId()).orElse(instance.getServiceId());
		return this.key.claim(gateway, receiver, ClaimScope.ASK, IDS.generateId().toString());
	}

	private static URI uri(ServiceInstance instance, String gateway, Trigger trigger) {
		String basePath = Optional.ofNullable(instance.getMetadata())
			.map((metadata) -> metadata.get(InstanceMetadata.BASE_PATH_KEY))
			.orElse("");
		return UriComponentsBuilder.fromUri(InstanceAddress.uri(instance))
			.path(basePath)
			.path(InternalPaths.ASK_PATH)
			.pathSegment(gateway)
			.queryParam("trigger", trigger.name().toLowerCase(Locale.ROOT))
			.encode()
			.build()
			.toUri();
	}

	private static Mono<GatewayWarmupResult> result(ClientResponse response, String name) {
		if (response.statusCode().isSameCodeAs(HttpStatus.ACCEPTED)) {
			return response.bodyToMono(String.class)
				.publishOn(Schedulers.boundedElastic()) // the parser may wait for a lock
				.map((body) -> JsonMapper.shared().readTree(body).path("run").asString(""))
				.filter((run) -> !run.isEmpty())
				.<GatewayWarmupResult>map(Started::new)
				.defaultIfEmpty(Failed.temporarily(name + " did not return the id of the run it started"));
		}
		return response.releaseBody().thenReturn(switch (response.statusCode().value()) {
			case 403 -> new Failed(Reason.DENIED, name + " does not know this gateway as registered (403)");
			case 404 -> new Failed(Reason.UNSUPPORTED, name + " does not warm gateways (404)");
			case 409 -> Failed.temporarily(name + " is busy with another run (409)");
			default -> Failed.temporarily(name + " answered " + response.statusCode().value());
		});
	}

}
