package dev.warmup.registry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.ActionType;
import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.EurekaClientConfig;
import com.netflix.discovery.endpoint.EndpointUtils;
import com.netflix.discovery.shared.Applications;
import com.netflix.discovery.shared.resolver.DefaultEndpoint;
import com.netflix.discovery.shared.transport.EurekaHttpClient;
import com.netflix.discovery.shared.transport.EurekaHttpResponse;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import io.micrometer.observation.ObservationRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.netflix.eureka.http.RestClientEurekaHttpClient;
import org.springframework.http.HttpStatus;

/**
 * Asks the Eureka servers that the application's client is configured with, one after the
 * other until one answers. Needs no client, whose creation may register the application.
 * Thread-safe.
 */
final class EurekaServers {

	private static final Logger logger = LoggerFactory.getLogger(EurekaServers.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final EurekaClientConfig config;

	private final Supplier<InstanceInfo> self;

	private final TransportClientFactories<?> factories;

	private final Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments;

	private final Scheduler scheduler;

	private final Map<String, EurekaHttpClient> servers = new ConcurrentHashMap<>();

	/**
	 * Creates the access.
	 * @param self this application, called before the first request
	 * @param arguments the arguments of the application's client, which may configure TLS
	 * @param scheduler where requests block; should be bounded, as a server that hangs
	 * holds its thread until the client's timeout, three minutes by default
	 */
	EurekaServers(EurekaClientConfig config, Supplier<InstanceInfo> self, TransportClientFactories<?> factories,
			Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments, Scheduler scheduler) {
		this.config = config;
		this.self = self;
		this.factories = factories;
		this.arguments = arguments;
		this.scheduler = scheduler;
	}

	/** Finds an instance in whatever status; servers do not cache this answer. */
	Mono<Optional<InstanceInfo>> instance(String instanceId) {
		return ask((client) -> client.getInstance(instanceId), HttpStatus.NOT_FOUND)
			.map((found) -> found.filter((instance) -> instance.getId().equals(instanceId)));
	}

	/**
	 * The instances that changed in the last three minutes, none where that is not
	 * published; servers may cache this answer for half a minute.
	 */
	Mono<List<InstanceInfo>> changed() {
		return ask(EurekaHttpClient::getDelta, HttpStatus.FORBIDDEN).map((delta) -> delta.stream()
			.map(Applications::getRegisteredApplications)
			.flatMap(List::stream)
			.flatMap((application) -> application.getInstancesAsIsFromEureka().stream())
			.filter((instance) -> instance.getActionType() != ActionType.DELETED)
			.toList());
	}

	/** Empty where the first server that answers has nothing, as this status says. */
	private <T> Mono<Optional<T>> ask(Function<EurekaHttpClient, EurekaHttpResponse<T>> request, HttpStatus nothing) {
		return Mono.fromCallable(this::clients)
			.subscribeOn(this.scheduler)
			.flatMapIterable(Function.identity())
			.concatMap((client) -> Mono.fromCallable(() -> answer(client, request, nothing))
				.subscribeOn(this.scheduler)
				.flatMap(Function.identity())
				.timeout(TIMEOUT, Mono.empty()))
			.next()
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("No Eureka server answers")));
	}

	/** None is no error: Reactor would log one that comes after the timeout. */
	private static <T> Mono<Optional<T>> answer(EurekaHttpClient client,
			Function<EurekaHttpClient, EurekaHttpResponse<T>> request, HttpStatus nothing) {
		try {
			EurekaHttpResponse<T> response = request.apply(client);
			if (List.of(HttpStatus.OK.value(), nothing.value()).contains(response.getStatusCode())) {
				return Mono.just(Optional.ofNullable(response.getEntity()));
			}
			logger.debug("Eureka answered {}", response.getStatusCode());
		}
		catch (RuntimeException ex) {
			logger.debug("Eureka cannot be asked", ex);
		}
		return Mono.empty();
	}

	/** A client for each server, in the order of the application's own client. */
	private List<EurekaHttpClient> clients() {
		InstanceInfo own = this.self.get();
		String zone = InstanceInfo.getZone(this.config.getAvailabilityZones(this.config.getRegion()), own);
		return EndpointUtils
			.getDiscoveryServiceUrls(this.config, zone, new EndpointUtils.InstanceInfoBasedUrlRandomizer(own))
			.stream()
			.map((url) -> this.servers.computeIfAbsent(url, (key) -> client(key, own)))
			.toList();
	}

	/**
	 * Without observation, which would add the id of each instance, forged ones too, to
	 * the values of the tag {@code uri}, until the application's meters take no more.
	 */
	private EurekaHttpClient client(String url, InstanceInfo own) {
		EurekaHttpClient client = this.factories
			.newTransportClientFactory(this.config, List.of(), own,
					this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getSSLContext),
					this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getHostnameVerifier))
			.newClient(new DefaultEndpoint(url));
		return (client instanceof RestClientEurekaHttpClient observed)
				? new RestClientEurekaHttpClient(
						observed.getRestClient().mutate().observationRegistry(ObservationRegistry.NOOP).build())
				: client;
	}

}
