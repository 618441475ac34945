package dev.warmup.discovery;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.ActionType;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.EurekaClientConfig;
import com.netflix.discovery.endpoint.EndpointUtils;
import com.netflix.discovery.shared.Applications;
import com.netflix.discovery.shared.resolver.DefaultEndpoint;
import com.netflix.discovery.shared.transport.EurekaHttpClient;
import com.netflix.discovery.shared.transport.EurekaHttpResponse;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.netflix.eureka.EurekaServiceInstance;
import org.springframework.cloud.netflix.eureka.http.RestClientEurekaHttpClient;
import org.springframework.cloud.util.ProxyUtils;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;

/**
 * Finds an instance in Eureka, whatever its status: asks the configured servers, which do
 * not cache this response, one after the other until one answers, starting with the last
 * that did. The local copy of the registry is available without a request. Thread-safe.
 */
final class EurekaInstanceLookup implements InstanceLookup {

	/** A single path segment that no encoding changes. */
	private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[\\w.:\\[\\]@-]{1,253}");

	private static final Set<InstanceStatus> REFUSING = Set.of(InstanceStatus.DOWN, InstanceStatus.OUT_OF_SERVICE);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/** The version of a local copy that is still empty. */
	private static final Long NEVER_FETCHED = -1L;

	private final EurekaClient eureka;

	private final TransportClientFactories<?> factories;

	private final Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments;

	private final Scheduler scheduler;

	private final Map<String, EurekaHttpClient> servers = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable EurekaHttpClient> lastToAnswer = new AtomicReference<>();

	/** Not its proxy, which blocks while the context is refreshed. */
	private volatile @Nullable EurekaClient local;

	/**
	 * Creates the look-up.
	 * @param eureka the application's client, whose configuration names the servers; not
	 * used before the first look-up
	 * @param arguments the arguments of the application's client, which may configure TLS
	 * @param scheduler where it may block; should be bounded, as a server that hangs
	 * holds its thread until the client's timeout, three minutes by default
	 */
	EurekaInstanceLookup(EurekaClient eureka, TransportClientFactories<?> factories,
			Optional<AbstractDiscoveryClientOptionalArgs<?>> arguments, Scheduler scheduler) {
		this.eureka = eureka;
		this.factories = factories;
		this.arguments = arguments;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		if (!SEGMENT.matcher(instanceId).matches()) {
			return Mono.just(Optional.empty());
		}
		return ask(
				(client) -> call(() -> instance(client.getInstance(instanceId), instanceId))
					.doOnNext((answer) -> this.lastToAnswer.set(client)),
				Mono.error(() -> new IllegalStateException("No Eureka server is configured")));
	}

	/**
	 * Empty until the first look-up, since the application's client is created at its
	 * first use, which takes a while.
	 */
	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		return Stream.ofNullable(this.local)
			.flatMap((client) -> client.getApplications().getRegisteredApplications().stream())
			.flatMap((application) -> Stream.ofNullable(application.getByInstanceId(instanceId)))
			.findFirst()
			.map(EurekaServiceInstance::new);
	}

	/** The client has read the registry: another one, where the context was refreshed. */
	@EventListener
	public void onHeartbeat(HeartbeatEvent event) {
		if (event.getSource() instanceof EurekaClient client) {
			this.local = client;
		}
	}

	/** The delta of the last three minutes, which servers may cache for half a minute. */
	@Override
	public Mono<Map<String, ServiceInstance>> recent() {
		return changed().map((instances) -> instances.stream()
			.collect(Collectors.toMap(InstanceInfo::getId, EurekaServiceInstance::new, (first, last) -> last)));
	}

	/** By the virtual address, as Spring Cloud's client finds a service's instances. */
	@Override
	public Mono<List<ServiceInstance>> recent(String serviceId) {
		return changed().map((instances) -> instances.stream()
			.filter((instance) -> instance.getStatus() == InstanceStatus.UP && isServing(instance, serviceId))
			.<ServiceInstance>map(EurekaServiceInstance::new)
			.toList());
	}

	private static boolean isServing(InstanceInfo instance, String serviceId) {
		return StringUtils.commaDelimitedListToSet(instance.getVIPAddress())
			.stream()
			.anyMatch(serviceId::equalsIgnoreCase);
	}

	private Mono<List<InstanceInfo>> changed() {
		return ask((client) -> call(() -> changed(client.getDelta())), Mono.just(List.of()));
	}

	/** A server answers 403 where it publishes no delta. */
	private static List<InstanceInfo> changed(EurekaHttpResponse<Applications> response) {
		if (response.getStatusCode() != HttpStatus.OK.value()
				&& response.getStatusCode() != HttpStatus.FORBIDDEN.value()) {
			throw new IllegalStateException("Eureka answered " + response.getStatusCode());
		}
		return Stream.ofNullable(response.getEntity())
			.flatMap((delta) -> delta.getRegisteredApplications().stream())
			.flatMap((application) -> application.getInstances().stream())
			.filter((instance) -> instance.getActionType() != ActionType.DELETED)
			.toList();
	}

	@Override
	public boolean refusesUsers(ServiceInstance instance) {
		return instance instanceof EurekaServiceInstance found
				&& REFUSING.contains(found.getInstanceInfo().getStatus());
	}

	/**
	 * By the version of the local copy, which the server sends: the client's time of the
	 * last fetch leaves out the first, and is set only when the next is due.
	 */
	@Override
	@SuppressWarnings("deprecation")
	public boolean isFetched() {
		return !this.eureka.getEurekaClientConfig().shouldFetchRegistry()
				|| !NEVER_FETCHED.equals(this.eureka.getApplications().getVersion());
	}

	/** Returns a client for each server, in the order of the application's own client. */
	private List<EurekaHttpClient> start() {
		EurekaClientConfig config = this.eureka.getEurekaClientConfig();
		InstanceInfo self = this.eureka.getApplicationInfoManager().getInfo();
		String zone = InstanceInfo.getZone(config.getAvailabilityZones(config.getRegion()), self);
		List<EurekaHttpClient> clients = EndpointUtils
			.getDiscoveryServiceUrls(config, zone, new EndpointUtils.InstanceInfoBasedUrlRandomizer(self))
			.stream()
			.map((url) -> this.servers.computeIfAbsent(url, (key) -> client(key, config, self)))
			.toList();
		EurekaClient client = ProxyUtils.getTargetObject(this.eureka);
		client.getApplications();
		this.local = client;
		return clients;
	}

	/**
	 * Without observation, which would add the id of each instance, forged ones too, to
	 * the values of the tag {@code uri}, until the application's meters take no more.
	 */
	private EurekaHttpClient client(String url, EurekaClientConfig config, InstanceInfo self) {
		EurekaHttpClient client = this.factories
			.newTransportClientFactory(config, List.of(), self,
					this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getSSLContext),
					this.arguments.flatMap(AbstractDiscoveryClientOptionalArgs::getHostnameVerifier))
			.newClient(new DefaultEndpoint(url));
		return (client instanceof RestClientEurekaHttpClient observed)
				? new RestClientEurekaHttpClient(
						observed.getRestClient().mutate().observationRegistry(ObservationRegistry.NOOP).build())
				: client;
	}

	/** Asks one server after the other until one answers. */
	private <T> Mono<T> ask(Function<EurekaHttpClient, Mono<T>> request, Mono<T> withoutServers) {
		return BlockingCall.of(this::start, this.scheduler)
			.flatMap((clients) -> clients.stream()
				.sorted(Comparator.comparing((client) -> client != this.lastToAnswer.get()))
				.map(request)
				.reduce((first, next) -> first.onErrorResume((error) -> next))
				.orElse(withoutServers));
	}

	private <T> Mono<T> call(Supplier<T> request) {
		return BlockingCall.of(request, this.scheduler).timeout(TIMEOUT);
	}

	private static Optional<ServiceInstance> instance(EurekaHttpResponse<InstanceInfo> response, String instanceId) {
		if (response.getStatusCode() == HttpStatus.NOT_FOUND.value()) {
			return Optional.empty();
		}
		InstanceInfo instance = response.getEntity();
		if (response.getStatusCode() != HttpStatus.OK.value() || instance == null) {
			throw new IllegalStateException("Eureka answered " + response.getStatusCode());
		}
		return Optional.of(instance)
			.filter((found) -> found.getId().equals(instanceId))
			.map(EurekaServiceInstance::new);
	}

}
