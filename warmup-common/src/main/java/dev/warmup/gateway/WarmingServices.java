package dev.warmup.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.http.HttpStatus;
import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The services in discovery that can warm a gateway: those with instances that publish
 * the key of their claims, except the gateway itself. Each instance is requested at its
 * registered address.
 */
final class WarmingServices {

	private static final Duration DISCOVERY_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(8);

	/** Unlike {@code UUID.randomUUID()}, it does not block on the system's entropy. */
	private static final IdGenerator IDS = new AlternativeJdkIdGenerator();

	private final DiscoveryClient discovery;

	private final InstanceLookup lookup;

	private final WebClient client;

	private final Instance.Source self;

	private final WarmupKey key;

	private final Scheduler scheduler;

	/**
	 * Uses {@code discovery}, which may block on the scheduler, once {@code lookup} has
	 * fetched it.
	 */
	WarmingServices(DiscoveryClient discovery, InstanceLookup lookup, WebClient client, Instance.Source self,
			WarmupKey key, Scheduler scheduler) {
		this.discovery = discovery;
		this.lookup = lookup;
		this.client = client;
		this.self = self;
		this.key = key;
		this.scheduler = scheduler;
	}

	/** The instances by service; fails when the registry cannot be reached. */
	Mono<Map<String, List<ServiceInstance>>> find() {
		return Mono.fromCallable(this::services).subscribeOn(this.scheduler).timeout(DISCOVERY_TIMEOUT);
	}

	private Map<String, List<ServiceInstance>> services() {
		if (!this.lookup.isFetched()) {
			throw new IllegalStateException("the registry was not reached yet");
		}
		Map<String, List<ServiceInstance>> found = new TreeMap<>();
		for (String service : this.discovery.getServices()) {
			List<ServiceInstance> warming = service.equalsIgnoreCase(this.self.get().service()) ? List.of()
					: this.discovery.getInstances(service)
						.stream()
						.filter((instance) -> InstanceAddress.key(instance).isPresent())
						.toList();
			if (!warming.isEmpty()) {
				found.put(service, warming);
			}
		}
		return found;
	}

	/** Whether discovery has an instance; fails when it does not answer in time. */
	Mono<Boolean> isRegistered(String instanceId) {
		return this.lookup.known(instanceId).isPresent() ? Mono.just(true)
				: this.lookup.find(instanceId).map(Optional::isPresent).timeout(DISCOVERY_TIMEOUT);
	}

	/**
	 * Requests an instance to warm this gateway.
	 * @return the id of the run that it started; fails with {@link NotWarmedException}
	 */
	Mono<String> request(ServiceInstance instance, Trigger trigger) {
		String name = instance.getServiceId() + "/" + instance.getInstanceId();
		return Mono.fromSupplier(() -> this.self.get().instanceId())
			.flatMap((gateway) -> this.client.post()
				.uri(uri(instance, gateway, trigger))
				.header(WarmupClaim.HEADER, claim(gateway, instance).format())
				.exchangeToMono((response) -> run(response, name)))
			.timeout(REQUEST_TIMEOUT)
			.onErrorMap((error) -> (error instanceof NotWarmedException) ? error
					: NotWarmedException.temporarily(name + " cannot be reached: " + error));
	}

	/** No run of this gateway's exists yet; each request has an id of its own. */
	private WarmupClaim claim(String gateway, ServiceInstance instance) {
		String receiver = Optional.ofNullable(instance.getInstanceId()).orElse(instance.getServiceId());
		return this.key.claim(gateway, receiver, SignedClaim.Scope.ASK, IDS.generateId().toString());
	}

	private static URI uri(ServiceInstance instance, String gateway, Trigger trigger) {
		return UriComponentsBuilder.fromUri(InstanceAddress.uri(instance))
			.path(InstanceAddress.metadata(instance, InstanceAddress.BASE_PATH_KEY).orElse(""))
			.path(InternalPaths.ASK_PATH)
			.pathSegment(gateway)
			.queryParam("trigger", trigger.name().toLowerCase(Locale.ROOT))
			.encode()
			.build()
			.toUri();
	}

	private static Mono<String> run(ClientResponse response, String name) {
		if (response.statusCode().isSameCodeAs(HttpStatus.ACCEPTED)) {
			return response.bodyToMono(String.class)
				.publishOn(Schedulers.boundedElastic()) // the parser may wait for a lock
				.map((body) -> JsonMapper.shared().readTree(body).path("run").asString(""))
				.filter((run) -> !run.isEmpty())
				.switchIfEmpty(Mono.error(
						() -> NotWarmedException.temporarily(name + " did not return the id of the run it started")));
		}
		return response.releaseBody().then(Mono.error(() -> switch (response.statusCode().value()) {
			case 403 -> NotWarmedException.temporarily(name + " does not know this gateway as registered (403)");
			case 404 -> NotWarmedException.unsupported(name + " does not warm this gateway (404)");
			case 409 -> NotWarmedException.temporarily(name + " is busy with another run (409)");
			default -> NotWarmedException.temporarily(name + " answered " + response.statusCode().value());
		}));
	}

}
