package dev.warmup.discovery;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.GateOpened;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Registers this instance in Eureka as STARTING, and makes it UP once the gate is open
 * and the application accepts traffic. From then on the status is the application's own,
 * and so it is from the start if the application configures its initial status.
 * Thread-safe; no method blocks.
 * <p>
 * Eureka's client replicates a change with its next interval, 30 seconds by default,
 * unless it is asked to do so at once, and it drops such requests above its rate limit
 * (two at once, four a minute). A change is therefore requested again until it is
 * replicated, for half a minute at most.
 */
class EurekaGate {

	private static final Logger logger = LoggerFactory.getLogger(EurekaGate.class);

	/** Lets the client complete what others have requested. */
	private static final Duration FIRST_CHECK = Duration.ofMillis(300);

	private static final Duration NEXT_CHECK = Duration.ofSeconds(3);

	private static final int CHECKS = 10;

	private final BooleanSupplier gateOpen;

	private final BooleanSupplier ownStatus;

	private final BooleanSupplier closing;

	private final ObjectProvider<EurekaInstanceConfigBean> config;

	private final ObjectProvider<EurekaClient> client;

	private final Scheduler scheduler;

	private final AtomicInteger lastReplication = new AtomicInteger();

	private volatile State state = State.UNDECIDED;

	private final AtomicBoolean warn = new AtomicBoolean(true);

	private volatile boolean accepting;

	/**
	 * Creates the gate.
	 * @param ownStatus whether a property configures the initial status
	 * @param client Eureka's client, which a refresh of the context replaces, and which
	 * may block: it is called on the scheduler
	 */
	EurekaGate(BooleanSupplier gateOpen, BooleanSupplier ownStatus, BooleanSupplier closing,
			ObjectProvider<EurekaInstanceConfigBean> config, ObjectProvider<EurekaClient> client, Scheduler scheduler) {
		this.gateOpen = gateOpen;
		this.ownStatus = ownStatus;
		this.closing = closing;
		this.config = config;
		this.client = client;
		this.scheduler = scheduler;
	}

	/** Sets the status with which the instance is registered, at first or again. */
	synchronized void prepare(EurekaInstanceConfigBean config) {
		if (this.state == State.UNDECIDED) {
			this.state = decide(config);
		}
		if (this.state != State.UNMANAGED) {
			config.setInitialStatus((this.state == State.HOLDING) ? InstanceStatus.STARTING : InstanceStatus.UP);
		}
	}

	private State decide(EurekaInstanceConfigBean config) {
		if (this.gateOpen.getAsBoolean()) {
			return State.UNMANAGED;
		}
		if (this.ownStatus.getAsBoolean() || config.isInstanceEnabledOnit()
				|| config.getInitialStatus() != InstanceStatus.UP) {
			logger.warn(
					"The application sets its initial status in Eureka ({}), which is left alone: "
							+ "users may reach it before it is warm",
					config.isInstanceEnabledOnit() ? "eureka.instance.instance-enabled-onit"
							: "eureka.instance.initial-status is " + config.getInitialStatus());
			return State.UNMANAGED;
		}
		return State.HOLDING;
	}

	/** Whether the instance has to be STARTING. */
	boolean isHolding() {
		return this.state == State.HOLDING;
	}

	/** Whether the status must not change any more, as the application shuts down. */
	boolean isClosing() {
		return this.state != State.UNMANAGED && this.closing.getAsBoolean();
	}

	/** Makes the instance UP if the application accepts traffic. */
	@EventListener(GateOpened.class)
	@Order(Ordered.HIGHEST_PRECEDENCE) // a listener that fails is the last one
	public void onGateOpened() {
		if (this.state == State.HOLDING && !this.accepting) {
			logger.info("The gate is open, but the application refuses traffic: it stays STARTING in Eureka");
		}
		release();
	}

	/** Makes the instance UP if the gate is open and the application accepts traffic. */
	@EventListener
	public void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		this.accepting = event.getState() == ReadinessState.ACCEPTING_TRAFFIC;
		release();
	}

	/** Replicates the status at once, also after a refresh, which registers again. */
	@EventListener(InstanceRegisteredEvent.class)
	public void onRegistered() {
		if (this.state == State.HOLDING || this.state == State.RELEASED) {
			replicate();
		}
	}

	/**
	 * Whether the status that this instance has, or will have at once, is UP; also where
	 * there is no client, so that Eureka has no say.
	 */
	Mono<Boolean> isUp() {
		return BlockingCall.of(
				() -> this.client.stream().findAny().isEmpty()
						|| Optional.ofNullable(this.client.getIfUnique()).filter(this::isUp).isPresent(),
				this.scheduler);
	}

	private boolean isUp(EurekaClient eureka) {
		InstanceStatus current = eureka.getApplicationInfoManager().getInfo().getStatus();
		boolean released = current == InstanceStatus.STARTING && this.state == State.RELEASED;
		return !isClosing() && (released || current == InstanceStatus.UP)
				&& eureka.getHealthCheckHandler().getStatus(InstanceStatus.UP) == InstanceStatus.UP;
	}

	private synchronized void release() {
		if (this.state == State.HOLDING && this.accepting && this.gateOpen.getAsBoolean() && !isClosing()) {
			this.state = State.RELEASED;
			replicate();
		}
	}

	/** Applies the status in the background; replaces an earlier replication. */
	private void replicate() {
		int replication = this.lastReplication.incrementAndGet();
		this.scheduler.schedule(() -> {
			attempt(this::apply);
			checkLater(replication, CHECKS, FIRST_CHECK);
		});
	}

	private void checkLater(int replication, int checksLeft, Duration delay) {
		this.scheduler.schedule(() -> check(replication, checksLeft), delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void check(int replication, int checksLeft) {
		if (checksLeft == 0 || replication != this.lastReplication.get() || this.closing.getAsBoolean()) {
			return;
		}
		attempt((eureka) -> {
			apply(eureka);
			if (eureka.getApplicationInfoManager().getInfo().isDirty()) {
				eureka.registerHealthCheck(eureka.getHealthCheckHandler());
			}
		});
		checkLater(replication, checksLeft - 1, NEXT_CHECK);
	}

	/** The client may be closed at any time, and a health check may fail. */
	private void attempt(Consumer<EurekaClient> action) {
		try {
			EurekaClient unique = this.client.getIfUnique();
			if (unique != null) {
				action.accept(unique);
			}
			else if (this.warn.compareAndSet(true, false)) {
				logger.warn(
						"The gate is open, but there are {} Eureka clients and none is the primary one: this instance "
								+ "stays STARTING. Mark the client that registers it as @Primary",
						this.client.stream().count());
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The status could not be replicated to Eureka", ex);
		}
	}

	/** Changes no status but STARTING: any other was set by the application. */
	private void apply(EurekaClient eureka) {
		if (this.state != State.RELEASED || isClosing()) {
			return;
		}
		this.config.ifAvailable((each) -> each.setInitialStatus(InstanceStatus.UP));
		InstanceStatus status = eureka.getHealthCheckHandler().getStatus(InstanceStatus.UP);
		if (status != null) {
			eureka.getApplicationInfoManager().setInstanceStatus(InstanceStatus.STARTING, status);
		}
	}

	/** Unmanaged if the status is the application's own. */
	private enum State {

		UNDECIDED, UNMANAGED, HOLDING, RELEASED

	}

}
