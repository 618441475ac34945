package dev.warmup.discovery;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.shared.transport.EurekaHttpClient;
import com.netflix.discovery.shared.transport.EurekaHttpResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.netflix.eureka.EurekaServiceInstance;
import org.springframework.http.HttpStatus;

/**
 * Finds an instance in Eureka, in whatever status: asks the servers themselves, whose
 * answer to this question is not cached, one after the other until one answers, and that
 * one first from then on. What the client's own registry holds is known without asking.
 */
public final class EurekaInstanceLookup implements InstanceLookup {

	/** What makes one segment of a path, and the same segment however it is encoded. */
	private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[\\w.:\\[\\]@-]{1,253}");

	private static final Duration LIMIT = Duration.ofSeconds(2);

	private final EurekaClient eureka;

	private final Supplier<List<EurekaHttpClient>> servers;

	private final Scheduler scheduler;

	private final AtomicReference<@Nullable EurekaHttpClient> lastToAnswer = new AtomicReference<>();

	private volatile boolean started;

	/**
	 * Creates the look-up.
	 * @param eureka the application's client; not touched before the first question
	 * @param servers the servers to ask, in order; asked for at each question, may block
	 * @param scheduler where it may block; to be bounded, for a server that hangs keeps
	 * its thread for as long as the client's time limit says, three minutes by default
	 */
	public EurekaInstanceLookup(EurekaClient eureka, Supplier<List<EurekaHttpClient>> servers, Scheduler scheduler) {
		this.eureka = eureka;
		this.servers = servers;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		if (!SEGMENT.matcher(instanceId).matches()) {
			return Mono.just(Optional.empty());
		}
		return BlockingCall.of(this::start, this.scheduler)
			.flatMap((clients) -> clients.stream()
				.sorted(Comparator.comparing((client) -> client != this.lastToAnswer.get()))
				.map((client) -> ask(client, instanceId))
				.reduce((first, next) -> first.onErrorResume((error) -> next))
				.orElseGet(() -> Mono.error(new IllegalStateException("No Eureka server is configured"))));
	}

	/**
	 * Empty until the first question, as the application's client is made at its first
	 * use, which takes a while.
	 */
	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		return this.started ? this.eureka.getApplications()
			.getRegisteredApplications()
			.stream()
			.flatMap((application) -> Stream.ofNullable(application.getByInstanceId(instanceId)))
			.findFirst()
			.map(EurekaServiceInstance::new) : Optional.empty();
	}

	private List<EurekaHttpClient> start() {
		List<EurekaHttpClient> clients = this.servers.get();
		this.eureka.getApplications();
		this.started = true;
		return clients;
	}

	private Mono<Optional<ServiceInstance>> ask(EurekaHttpClient client, String instanceId) {
		return BlockingCall.of(() -> instance(client.getInstance(instanceId), instanceId), this.scheduler)
			.timeout(LIMIT)
			.doOnNext((answer) -> this.lastToAnswer.set(client));
	}

	private static Optional<ServiceInstance> instance(EurekaHttpResponse<InstanceInfo> answer, String instanceId) {
		if (answer.getStatusCode() == HttpStatus.NOT_FOUND.value()) {
			return Optional.empty();
		}
		InstanceInfo instance = answer.getEntity();
		if (answer.getStatusCode() != HttpStatus.OK.value() || instance == null) {
			throw new IllegalStateException("Eureka answered " + answer.getStatusCode());
		}
		return Optional.of(instance)
			.filter((found) -> found.getId().equals(instanceId))
			.map(EurekaServiceInstance::new);
	}

}
