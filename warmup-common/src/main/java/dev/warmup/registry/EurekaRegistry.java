package dev.warmup.registry;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.protocol.Instance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.netflix.eureka.EurekaServiceInstance;
import org.springframework.cloud.util.ProxyUtils;
import org.springframework.context.event.EventListener;

/**
 * Finds instances in the copy of the registry that the application's Eureka client has,
 * and at the Eureka servers. Thread-safe.
 */
final class EurekaRegistry implements Registry {

	private static final Logger logger = LoggerFactory.getLogger(EurekaRegistry.class);

	/** A single path segment that no encoding changes. */
	private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[\\w.:\\[\\]@-]{1,253}");

	private static final int READS_PER_SECOND = 5;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

	/** The version of a local copy that is still empty. */
	private static final Long NEVER_FETCHED = -1L;

	private final Supplier<EurekaClient> client;

	private final boolean mayCreateClient;

	private final EurekaServers servers;

	private final Clock clock;

	private final Scheduler scheduler;

	/** Those begun within the last second, by id. Guarded by itself. */
	private final Map<String, Read> reads = new HashMap<>();

	private final Mono<List<Registered>> recent;

	/** Not its proxy, which blocks while the context is refreshed. */
	private volatile @Nullable EurekaClient local;

	/**
	 * Creates the registry.
	 * @param client the application's client; creating it may block
	 * @param mayCreateClient {@code false} where that would register what the application
	 * has not registered: then its copy is used once the application has created it
	 */
	EurekaRegistry(Supplier<EurekaClient> client, boolean mayCreateClient, EurekaServers servers, Clock clock,
			Scheduler scheduler) {
		this.client = client;
		this.mayCreateClient = mayCreateClient;
		this.servers = servers;
		this.clock = clock;
		this.scheduler = scheduler;
		this.recent = Mono.defer(servers::changed)
			.map((changed) -> changed.stream().map(EurekaRegistry::registered).toList())
			.timeout(READ_TIMEOUT)
			.cache((changed) -> SECOND, (error) -> SECOND, () -> SECOND);
	}

	/**
	 * Eureka's client has been created where the application registers, and registered
	 * again where the context was refreshed.
	 */
	@EventListener({ InstanceRegisteredEvent.class, ApplicationStartedEvent.class })
	public void onRegistered() {
		if (this.mayCreateClient) {
			this.scheduler.schedule(this::open);
		}
	}

	/** The client has read the registry: another one, where the context was refreshed. */
	@EventListener
	public void onHeartbeat(HeartbeatEvent event) {
		if (event.getSource() instanceof EurekaClient source) {
			this.local = source;
		}
	}

	private void open() {
		try {
			EurekaClient target = ProxyUtils.getTargetObject(this.client.get());
			target.getApplications();
			this.local = target;
		}
		catch (RuntimeException ex) { // such as where the application is being stopped
			logger.debug("Eureka's client cannot be used", ex);
		}
	}

	@Override
	public boolean isRead() {
		EurekaClient current = this.local;
		return current != null && (!current.getEurekaClientConfig().shouldFetchRegistry() || isFetched(current));
	}

	/**
	 * By the version of the client's copy, which the server sends: the client's time of
	 * the last fetch leaves out the first, and is set only when the next is due.
	 */
	@SuppressWarnings("deprecation")
	static boolean isFetched(EurekaClient client) {
		return client.getEurekaClientConfig().shouldFetchRegistry()
				&& !NEVER_FETCHED.equals(client.getApplications().getVersion());
	}

	@Override
	public List<Registered> instances() {
		return Stream.ofNullable(this.local)
			.flatMap((current) -> current.getApplications().getRegisteredApplications().stream())
			.flatMap((application) -> application.getInstancesAsIsFromEureka().stream())
			.map(EurekaRegistry::registered)
			.toList();
	}

	@Override
	public Mono<Optional<Registered>> read(String instanceId) {
		if (!SEGMENT.matcher(instanceId).matches()) {
			return Mono.just(Optional.empty());
		}
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			synchronized (this.reads) {
				this.reads.values().removeIf((each) -> !now.isBefore(each.until()));
				if (this.reads.size() < READS_PER_SECOND || this.reads.containsKey(instanceId)) {
					return this.reads.computeIfAbsent(instanceId, (id) -> begin(id, now)).answer();
				}
			}
			return recent().map((changed) -> changed.stream()
				.filter((each) -> each.instance().instanceId().equals(instanceId))
				.findFirst());
		});
	}

	/** Cached, so it goes on for the others when the first subscriber cancels. */
	private Read begin(String instanceId, Instant now) {
		return new Read(now.plus(SECOND),
				this.servers.instance(instanceId)
					.map((found) -> found.map(EurekaRegistry::registered))
					.timeout(READ_TIMEOUT)
					.cache());
	}

	/**
	 * What changed in the last three minutes; one request a second for all who ask, whose
	 * answer the server may have cached for half a minute.
	 */
	Mono<List<Registered>> recent() {
		return this.recent;
	}

	private static Registered registered(InstanceInfo info) {
		boolean refused = Stream.of(info.getStatus(), info.getOverriddenStatus())
			.anyMatch(EurekaStatus.REFUSING::contains);
		Registered.Status status = refused ? Registered.Status.REFUSED
				: (info.getStatus() == InstanceStatus.UP) ? Registered.Status.UP : Registered.Status.STARTING;
		return new Registered(new Instance(info.getAppName(), info.getId()), new EurekaServiceInstance(info), status);
	}

	/** A read of one instance, and until when those who ask share it. */
	private record Read(Instant until, Mono<Optional<Registered>> answer) {

	}

}
