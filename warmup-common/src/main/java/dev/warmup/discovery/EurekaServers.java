package dev.warmup.discovery;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.EurekaClientConfig;
import com.netflix.discovery.endpoint.EndpointUtils;
import com.netflix.discovery.shared.resolver.DefaultEndpoint;
import com.netflix.discovery.shared.transport.EurekaHttpClient;
import com.netflix.discovery.shared.transport.TransportClientFactory;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.cloud.netflix.eureka.http.RestClientEurekaHttpClient;

/**
 * The Eureka servers that the application is configured for, each with a client of its
 * own beside the application's {@link EurekaClient}, made with the same TLS and
 * credentials. May block.
 */
public final class EurekaServers implements Supplier<List<EurekaHttpClient>> {

	private final EurekaClient eureka;

	private final TransportClientFactories<?> factories;

	private final Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments;

	private final Map<String, EurekaHttpClient> clients = new ConcurrentHashMap<>();

	/**
	 * Creates the clients' source; no client is made before the first is asked for.
	 * @param eureka the application's client, which knows the configuration
	 * @param factories makes the transport
	 * @param arguments what the application's client was made with, which may set TLS
	 */
	public EurekaServers(EurekaClient eureka, TransportClientFactories<?> factories,
			Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments) {
		this.eureka = eureka;
		this.factories = factories;
		this.arguments = arguments;
	}

	/**
	 * Reads the servers' addresses and gives a client for each.
	 * @return the clients in the order in which the application's own asks
	 */
	@Override
	public List<EurekaHttpClient> get() {
		EurekaClientConfig config = this.eureka.getEurekaClientConfig();
		InstanceInfo self = this.eureka.getApplicationInfoManager().getInfo();
		String zone = InstanceInfo.getZone(config.getAvailabilityZones(config.getRegion()), self);
		List<String> urls = EndpointUtils.getDiscoveryServiceUrls(config, zone,
				new EndpointUtils.InstanceInfoBasedUrlRandomizer(self));
		return urls.stream()
			.map((url) -> this.clients.computeIfAbsent(url, (key) -> client(key, config, self)))
			.toList();
	}

	private EurekaHttpClient client(String url, EurekaClientConfig config, InstanceInfo self) {
		TransportClientFactory factory = this.factories.newTransportClientFactory(config, List.of(), self,
				this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getSSLContext),
				this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getHostnameVerifier));
		EurekaHttpClient client = factory.newClient(new DefaultEndpoint(url));
		return (client instanceof RestClientEurekaHttpClient resting) ? unobserved(resting) : client;
	}

	/**
	 * Observed, it would add a value to the tag {@code uri} for each instance asked for,
	 * be it forged, until the application's meters take no more.
	 */
	private static EurekaHttpClient unobserved(RestClientEurekaHttpClient client) {
		return new RestClientEurekaHttpClient(
				client.getRestClient().mutate().observationRegistry(ObservationRegistry.NOOP).build());
	}

}
