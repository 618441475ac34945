package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Shares out users while instances are RAMPING: it leaves such an instance out of the
 * list that a load balancer chooses from, as often as its {@link Ramp} requires. That
 * gives it its weight with any load balancer that chooses by instance, and not by place
 * in the list. Where no other could answer, it is never left out: one that the registry
 * still lists, and that cannot be connected to, does not count. Users are measured only
 * meanwhile. Thread-safe.
 */
public final class UserShares {

	private static final Duration UNREACHABLE_FOR = Duration.ofSeconds(10);

	/**
	 * Where siblings have answered nobody, a user who is cut off after this time counts
	 * as a slow answer, not as one who left.
	 */
	private static final double SLOW = Duration.ofMillis(500).toNanos();

	private final Clock clock;

	private final Duration window;

	private final DoubleSupplier random;

	/** By instance id. */
	private final Map<String, Ramp> ramps = new HashMap<>();

	/** The latencies of full members, by service in lower case. */
	private final Map<String, LastLatencies> siblings = new HashMap<>();

	/** Those that could not be connected to. */
	private final Recent<ServiceInstance> unreachable;

	/** Users' requests check it, without a lock. */
	private volatile boolean idle = true;

	/**
	 * The window is after how long an instance is a full member at the latest, 0 means at
	 * once; {@code random} supplies values from 0 up to 1.
	 */
	UserShares(Clock clock, Duration window, DoubleSupplier random) {
		this.clock = clock;
		this.window = window;
		this.random = random;
		this.unreachable = new Recent<>(clock, UNREACHABLE_FOR);
	}

	/**
	 * An instance takes users while it is still being warmed. Ignored where it has no id.
	 */
	synchronized void begin(ServiceInstance instance) {
		dropOver();
		if (instance.getInstanceId() != null && !this.window.isZero()) {
			this.ramps.put(instance.getInstanceId(), new Ramp(this.clock.instant(), this.window));
			this.idle = false;
		}
	}

	/** An instance is a full member, or takes no users any more. */
	synchronized void end(String instanceId) {
		this.ramps.remove(instanceId);
		dropOver();
	}

	private void dropOver() {
		Instant now = this.clock.instant();
		this.ramps.values().removeIf((ramp) -> ramp.isOver(now));
		if (this.ramps.isEmpty()) {
			this.siblings.clear();
			this.idle = true;
		}
	}

	/** Whether no instance is RAMPING. */
	boolean isIdle() {
		return this.idle;
	}

	/** No connection to an instance could be made. */
	void unreachable(ServiceInstance instance) {
		this.unreachable.put(id(instance), instance);
	}

	/** The weight of an instance: above 0, and 1 for full members. */
	public synchronized double of(String instanceId) {
		Ramp ramp = this.ramps.get(instanceId);
		return (ramp != null) ? ramp.weight(this.clock.instant()) : 1;
	}

	/** The candidates that the next user may go to; all where there is no full member. */
	List<ServiceInstance> among(List<ServiceInstance> candidates) {
		if (this.idle || candidates.size() < 2) {
			return candidates;
		}
		synchronized (this) {
			dropOver();
			Instant now = this.clock.instant();
			List<ServiceInstance> chosen = new ArrayList<>();
			boolean full = false;
			for (ServiceInstance candidate : candidates) {
				Ramp ramp = ramp(candidate);
				full |= ramp == null && this.unreachable.find(id(candidate)).isEmpty();
				if (ramp == null || ramp.admits(now, this.random.getAsDouble())) {
					chosen.add(candidate);
				}
			}
			return full ? chosen : candidates;
		}
	}

	private @Nullable Ramp ramp(ServiceInstance instance) {
		return this.ramps.get(id(instance));
	}

	private static String id(ServiceInstance instance) {
		return String.valueOf(instance.getInstanceId());
	}

	/** A user waits for an answer of an instance, from now on. */
	synchronized Waiting waiting(ServiceInstance chosen, String route) {
		dropOver();
		Ramp ramp = ramp(chosen);
		Waiting waiting = new Waiting(chosen, route, ramp);
		if (ramp != null) {
			ramp.begun(waiting, this.clock.instant());
		}
		return waiting;
	}

	private LastLatencies siblings(ServiceInstance instance) {
		return this.siblings.computeIfAbsent(Objects.toString(instance.getServiceId(), "").toLowerCase(Locale.ROOT),
				(service) -> new LastLatencies());
	}

	/** A user who waits for an answer, which comes once or not at all. Thread-safe. */
	final class Waiting {

		private final ServiceInstance chosen;

		private final String route;

		private final @Nullable Ramp ramp;

		private final Instant start = UserShares.this.clock.instant();

		private boolean over;

		private Waiting(ServiceInstance chosen, String route, @Nullable Ramp ramp) {
			this.chosen = chosen;
			this.route = route;
			this.ramp = ramp;
		}

		/** The answer begins; only the first call counts. */
		void answered(boolean failed) {
			synchronized (UserShares.this) {
				if (end()) {
					record(failed ? Ramp.FAILED : soFar(), siblings(this.chosen));
				}
			}
		}

		/**
		 * The user left, or the route's time limit has passed: they have waited for less
		 * than the answer would have taken, which counts where that is slow already.
		 */
		void canceled() {
			synchronized (UserShares.this) {
				LastLatencies siblings = siblings(this.chosen);
				Duration latency = soFar();
				if (end() && latency.toNanos() > siblings.median(this.route).orElse(SLOW)) {
					record(latency, siblings);
				}
			}
		}

		private void record(Duration latency, LastLatencies siblings) {
			if (this.ramp != null) {
				this.ramp.answered(this.route, latency, siblings);
			}
			else {
				siblings.add(this.route, latency);
			}
		}

		private Duration soFar() {
			return Duration.between(this.start, UserShares.this.clock.instant());
		}

		/** Returns whether the user has waited until now. */
		private boolean end() {
			if (this.over) {
				return false;
			}
			this.over = true;
			if (this.ramp != null) {
				this.ramp.ended(this);
			}
			return true;
		}

	}

}
