package dev.warmup.discovery;

import java.util.function.BooleanSupplier;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.GateOpened;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.context.event.EventListener;

/**
 * Keeps this instance STARTING in Eureka, where nobody sends users to it, until the gate
 * is open and the application accepts traffic, and then has it UP, once and for all: what
 * the application does later is its own. Registers it at once, not with the first
 * replication. An application that chose its first status itself is left alone.
 * Thread-safe; no method blocks.
 */
public final class EurekaGate {

	private static final Logger logger = LoggerFactory.getLogger(EurekaGate.class);

	private final BooleanSupplier gateOpen;

	private final BooleanSupplier ownStatus;

	private final BooleanSupplier closing;

	private final ObjectProvider<EurekaInstanceConfigBean> config;

	private final Replication replication;

	private volatile Stance stance = Stance.UNDECIDED;

	private volatile boolean accepting;

	/**
	 * Creates the gate's arm in Eureka.
	 * @param gateOpen whether the gate is open
	 * @param ownStatus whether the application sets its first status by a property
	 * @param closing whether the application is going down
	 * @param config how the instance is registered
	 * @param client Eureka's client, a new one after each refresh of the context
	 * @param scheduler where the client, which may block, is called
	 */
	public EurekaGate(BooleanSupplier gateOpen, BooleanSupplier ownStatus, BooleanSupplier closing,
			ObjectProvider<EurekaInstanceConfigBean> config, ObjectProvider<EurekaClient> client, Scheduler scheduler) {
		this.gateOpen = gateOpen;
		this.ownStatus = ownStatus;
		this.closing = closing;
		this.config = config;
		this.replication = new Replication(client, this::settle, closing, scheduler);
	}

	/** Sets the status that the instance has when it is registered, now or anew. */
	synchronized void prepare(EurekaInstanceConfigBean config) {
		if (this.stance == Stance.UNDECIDED) {
			this.stance = decide(config);
		}
		if (this.stance != Stance.HANDS_OFF) {
			config.setInitialStatus((this.stance == Stance.HOLDING) ? InstanceStatus.STARTING : InstanceStatus.UP);
		}
	}

	private Stance decide(EurekaInstanceConfigBean config) {
		if (this.gateOpen.getAsBoolean()) {
			return Stance.HANDS_OFF;
		}
		if (this.ownStatus.getAsBoolean() || config.isInstanceEnabledOnit()
				|| config.getInitialStatus() != InstanceStatus.UP) {
			logger.warn(
					"The application sets its own first status in Eureka ({}), which is left alone: "
							+ "users may be sent to it before it is warm",
					config.isInstanceEnabledOnit() ? "eureka.instance.instance-enabled-onit"
							: "eureka.instance.initial-status is " + config.getInitialStatus());
			return Stance.HANDS_OFF;
		}
		return Stance.HOLDING;
	}

	/**
	 * Whether users are kept away.
	 * @return {@code true} while the instance has to be STARTING
	 */
	boolean isHolding() {
		return this.stance == Stance.HOLDING;
	}

	/**
	 * Whether the status is not to be changed any more.
	 * @return {@code true} once the application goes down, unless its status is its own
	 * affair
	 */
	boolean isClosing() {
		return this.stance != Stance.HANDS_OFF && this.closing.getAsBoolean();
	}

	/** The run is over. */
	@EventListener(GateOpened.class)
	public void onGateOpened() {
		if (this.stance == Stance.HOLDING && !this.accepting) {
			logger.info("The gate is open, but the application does not accept traffic: STARTING until it does");
		}
		letGo();
	}

	/**
	 * The application accepts or refuses traffic, whatever the gate says.
	 * @param event what it does from now on
	 */
	@EventListener
	public void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		this.accepting = event.getState() == ReadinessState.ACCEPTING_TRAFFIC;
		letGo();
	}

	/** Also after a refresh of the context, which takes the instance out and in again. */
	@EventListener(InstanceRegisteredEvent.class)
	public void onRegistered() {
		if (this.stance == Stance.HOLDING || this.stance == Stance.LET_GO) {
			this.replication.start();
		}
	}

	private synchronized void letGo() {
		if (this.stance != Stance.HOLDING || !this.accepting || !this.gateOpen.getAsBoolean() || isClosing()) {
			return;
		}
		this.stance = Stance.LET_GO;
		this.replication.start();
	}

	/**
	 * Gives way to any other status than STARTING: the application, or its end, has set
	 * it.
	 */
	private void settle(EurekaClient client) {
		if (this.stance != Stance.LET_GO || isClosing()) {
			return;
		}
		this.config.ifAvailable((each) -> each.setInitialStatus(InstanceStatus.UP));
		HealthCheckHandler health = client.getHealthCheckHandler();
		InstanceStatus status = health.getStatus(InstanceStatus.UP);
		if (status != null) {
			client.getApplicationInfoManager().setInstanceStatus(InstanceStatus.STARTING, status);
		}
	}

	private enum Stance {

		/** The instance's configuration was not seen yet. */
		UNDECIDED,

		/** The status is the application's own affair. */
		HANDS_OFF,

		/** Users are kept away. */
		HOLDING,

		/** Users may come. */
		LET_GO

	}

}
