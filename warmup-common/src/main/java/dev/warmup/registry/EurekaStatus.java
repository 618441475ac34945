package dev.warmup.registry;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.GateOpened;
import dev.warmup.service.Gate;
import dev.warmup.service.UserReadiness;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.cloud.netflix.eureka.serviceregistry.EurekaRegistration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * What Eureka has of this application: where it has the library's paths, and, of a
 * service, the status STARTING until its gate is open and it accepts traffic. The first
 * instance of a service is UP as without the library, since its callers have nobody else.
 * From then on the status is the application's own, and so it is from the start if the
 * application configures its initial status. Thread-safe.
 * <p>
 * Eureka's client replicates a change with its next interval, 30 seconds by default,
 * unless it is asked to do so at once, and it drops such requests above its rate limit
 * (two at once, four a minute). A change is therefore requested again until it is
 * replicated, for half a minute at most.
 */
final class EurekaStatus implements HealthCheckHandler, UserReadiness {

	private static final Logger logger = LoggerFactory.getLogger(EurekaStatus.class);

	static final Set<InstanceStatus> REFUSING = Set.of(InstanceStatus.DOWN, InstanceStatus.OUT_OF_SERVICE);

	/** Lets the client complete what others have requested. */
	private static final Duration FIRST_CHECK = Duration.ofMillis(300);

	private static final Duration NEXT_CHECK = Duration.ofSeconds(3);

	private static final int CHECKS = 10;

	private final Supplier<String> metadata;

	private final Gate gate;

	private final Policy policy;

	private final boolean ownStatus;

	private final BooleanSupplier accepting;

	private final ObjectProvider<HealthCheckHandler> health;

	private final Scheduler scheduler;

	private volatile State state = State.UNDECIDED;

	private volatile @Nullable EurekaRegistration registration;

	/**
	 * Creates what listens to the registration.
	 * @param metadata what is published under {@value Registered#METADATA_KEY}
	 * @param ownStatus whether a property configures the initial status
	 * @param accepting whether the application accepts traffic
	 * @param health the application's own health check, if any, beside this one
	 * @param scheduler where Eureka's client and the application's health may block
	 */
	EurekaStatus(Supplier<String> metadata, Gate gate, Policy policy, boolean ownStatus, BooleanSupplier accepting,
			ObjectProvider<HealthCheckHandler> health, Scheduler scheduler) {
		this.metadata = metadata;
		this.gate = gate;
		this.policy = policy;
		this.ownStatus = ownStatus;
		this.accepting = accepting;
		this.health = health;
		this.scheduler = scheduler;
	}

	/** Before each registration, also before one that follows a refresh. */
	@EventListener
	public void onPreRegistered(InstancePreRegisteredEvent event) {
		if (event.getRegistration() instanceof EurekaRegistration own
				&& own.getInstanceConfig() instanceof EurekaInstanceConfigBean config) {
			Map<String, String> published = new HashMap<>(config.getMetadataMap());
			published.put(Registered.METADATA_KEY, this.metadata.get());
			config.setMetadataMap(published); // a refresh registers what this has
			own.getApplicationInfoManager().registerAppMetadata(published);
			this.registration = own;
			if (this.state == State.UNDECIDED) {
				this.state = decide(config);
			}
			if (this.state != State.UNMANAGED) {
				prepare(own, config);
			}
		}
	}

	private State decide(EurekaInstanceConfigBean config) {
		if (this.policy == Policy.UP || this.gate.isOpen()) {
			return State.UNMANAGED;
		}
		if (this.ownStatus || config.isInstanceEnabledOnit() || config.getInitialStatus() != InstanceStatus.UP) {
			logger.warn("The application sets its initial status in Eureka (eureka.instance.initial-status or "
					+ "instance-enabled-onit), which is left alone: users may reach it before it is warm");
			return State.UNMANAGED;
		}
		return State.HELD;
	}

	private void prepare(EurekaRegistration own, EurekaInstanceConfigBean config) {
		// the client has it since its creation: again would use up what its rate limit
		// allows
		own.setHealthCheckHandler(new StaticListableBeanFactory().getBeanProvider(HealthCheckHandler.class));
		if (!config.isAsyncClientInitialization()) { // the registration creates it next
			attempt(() -> releaseFirst(own));
		}
		config.setInitialStatus((this.state == State.HELD) ? InstanceStatus.STARTING : InstanceStatus.UP);
	}

	/**
	 * What Eureka's client takes for the application's health, ahead of its own health
	 * check: the client asks as soon as it is created, before any registration.
	 */
	@Override
	public @Nullable InstanceStatus getStatus(InstanceStatus current) {
		return (this.state == State.UNDECIDED || this.state == State.HELD) ? current : ownHealth(current);
	}

	private @Nullable InstanceStatus ownHealth(InstanceStatus current) {
		Optional<HealthCheckHandler> own = this.health.stream().filter((each) -> each != this).findFirst();
		return own.isPresent() ? own.get().getStatus(current) : current;
	}

	/**
	 * True for an instance that is UP, is held STARTING and healthy by its own check, or
	 * is not registered yet; false for one that is DOWN or that the registry has as
	 * OUT_OF_SERVICE. The health of an instance that is UP is left to Eureka's client, so
	 * that a health check that is slow takes no users away.
	 */
	@Override
	public Mono<Boolean> acceptsUsers() {
		EurekaRegistration own = this.registration;
		return (own == null) ? Mono.just(true) : Mono.fromSupplier(() -> isUp(own)).subscribeOn(this.scheduler);
	}

	private boolean isUp(EurekaRegistration own) {
		InstanceStatus current = own.getApplicationInfoManager().getInfo().getStatus();
		boolean held = current == InstanceStatus.STARTING && this.state != State.UNMANAGED;
		return (current == InstanceStatus.UP || (held && ownHealth(InstanceStatus.UP) == InstanceStatus.UP))
				&& !REFUSING.contains(own.getEurekaClient().getInstanceRemoteStatus());
	}

	/**
	 * Something happened that may make the instance UP: its gate has opened, it accepts
	 * traffic, or the registry has been read; or it has been registered anew.
	 */
	@EventListener({ GateOpened.class, AvailabilityChangeEvent.class, HeartbeatEvent.class,
			InstanceRegisteredEvent.class })
	@Order(Ordered.HIGHEST_PRECEDENCE) // a listener that fails is the last one
	public void onChange() {
		check(CHECKS, FIRST_CHECK);
	}

	private void check(int checksLeft, Duration delay) {
		EurekaRegistration own = this.registration;
		if (own != null && this.state != State.UNMANAGED && checksLeft > 0) {
			this.scheduler.schedule(() -> attempt(() -> check(own, checksLeft)), delay.toMillis(),
					TimeUnit.MILLISECONDS);
		}
	}

	private void check(EurekaRegistration own, int checksLeft) {
		if (this.gate.isLeaving()) {
			return;
		}
		InstanceInfo self = own.getApplicationInfoManager().getInfo();
		if (self.isDirty()) {
			own.getEurekaClient().registerHealthCheck(this);
		}
		releaseFirst(own);
		if (this.state == State.HELD && this.gate.isOpen() && this.accepting.getAsBoolean()) {
			this.state = State.RELEASED;
		}
		InstanceStatus status = (this.state == State.RELEASED) ? ownHealth(InstanceStatus.UP) : null;
		if (status != null) { // any other than STARTING was set by the application
			own.getApplicationInfoManager().setInstanceStatus(InstanceStatus.STARTING, status);
		}
		if (self.isDirty()) {
			check(checksLeft - 1, NEXT_CHECK);
		}
	}

	/**
	 * Releases the instance where the client's copy of the registry has no other instance
	 * of its service that is UP.
	 */
	private void releaseFirst(EurekaRegistration own) {
		if (this.state != State.HELD || this.policy != Policy.STARTING_BESIDE_OTHERS) {
			return;
		}
		EurekaClient client = own.getEurekaClient();
		InstanceInfo self = own.getApplicationInfoManager().getInfo();
		boolean others = Stream.ofNullable(client.getApplications().getRegisteredApplications(self.getAppName()))
			.flatMap((application) -> application.getInstancesAsIsFromEureka().stream())
			.anyMatch((each) -> each.getStatus() == InstanceStatus.UP && !each.getId().equals(self.getId()));
		if (!others && EurekaRegistry.isFetched(client)) {
			logger.info("No other instance of {} is UP in Eureka: this one is from the start", self.getAppName());
			this.state = State.RELEASED;
		}
	}

	/** The client may be closed at any time, and a health check may fail. */
	private static void attempt(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.debug("The status could not be replicated to Eureka", ex);
		}
	}

	/** How an instance whose gate is closed is registered. */
	enum Policy {

		/** As without the library: a gateway, which services have to find. */
		UP,

		/** STARTING where the registry has another instance that is UP. */
		STARTING_BESIDE_OTHERS,

		/** STARTING in any case. */
		STARTING

	}

	/** Unmanaged if the status is the application's own. */
	private enum State {

		UNDECIDED, UNMANAGED, HELD, RELEASED

	}

}
