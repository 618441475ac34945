package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.discovery.InstanceAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Corrects what the registry lists by what instances announced: those that opened are
 * added, for a minute, until the registry lists them or a connection to them is refused;
 * those that are leaving are left out, for two minutes, until the registry lists them no
 * more or they open again. At most 1000 of each: beyond that the oldest is forgotten.
 * Thread-safe.
 * <p>
 * The first user after an opening is the first to come by here, so there are loops
 * instead of lambdas, each of which would cost that user half a millisecond.
 */
public final class AnnouncedInstances {

	private static final Logger logger = LoggerFactory.getLogger(AnnouncedInstances.class);

	private static final Duration OPENED_FOR = Duration.ofMinutes(1);

	private static final Duration LEAVING_FOR = Duration.ofMinutes(2);

	private static final Duration SETTLING = Duration.ofSeconds(1);

	private final Clock clock;

	private final Recent<OpenedInstance> opened;

	private final Recent<Departure> leaving;

	private volatile Instant changed = Instant.MIN;

	/**
	 * Creates it without any announcement.
	 * @param clock the source of time
	 */
	public AnnouncedInstances(Clock clock) {
		this.clock = clock;
		this.opened = new Recent<>(clock, OPENED_FOR);
		this.leaving = new Recent<>(clock, LEAVING_FOR);
	}

	/**
	 * An instance takes users from now on.
	 * @param instance the instance; ignored where discovery gives it no name
	 */
	public void opened(ServiceInstance instance) {
		String id = instance.getInstanceId();
		if (id != null) {
			this.leaving.remove(id);
			this.opened.put(id, new OpenedInstance(InstanceAddress.bracketed(instance)));
			changed(id, "takes users");
		}
	}

	/**
	 * An instance takes no users any more.
	 * @param instanceId its name in discovery
	 */
	public void leaving(String instanceId) {
		this.opened.remove(instanceId);
		this.leaving.put(instanceId, new Departure());
		changed(instanceId, "is leaving");
	}

	/**
	 * A connection to an instance could not be made: its word counts no more, unless the
	 * registry lists the instance.
	 * @param instance the instance as it was chosen
	 * @return whether it was chosen by its own word, not the registry's
	 */
	public boolean refused(ServiceInstance instance) {
		String id = instance.getInstanceId();
		if (id != null && instance instanceof InstanceView && this.opened.remove(id)) {
			this.changed = this.clock.instant();
			logger.info("{}/{} cannot be reached, and takes no users until the registry lists it",
					instance.getServiceId(), id);
		}
		return instance instanceof OpenedInstance;
	}

	/**
	 * The instances that take users.
	 * @param serviceId the service, in upper or lower case
	 * @param listed what the registry lists of it now, unfiltered
	 * @return that list, corrected; possibly empty
	 */
	public List<ServiceInstance> routable(String serviceId, List<ServiceInstance> listed) {
		if (this.opened.isEmpty() && this.leaving.isEmpty()) {
			return listed;
		}
		Set<String> ids = new HashSet<>();
		for (ServiceInstance each : listed) {
			if (!(each instanceof OpenedInstance) && each.getInstanceId() != null) {
				ids.add(each.getInstanceId());
			}
		}
		forget(serviceId, ids);
		List<ServiceInstance> routable = new ArrayList<>();
		for (ServiceInstance each : withoutLeaving(listed)) {
			if (!(each instanceof OpenedInstance)) {
				routable.add(each);
			}
		}
		for (OpenedInstance each : this.opened.entries().values()) {
			if (each.getServiceId().equalsIgnoreCase(serviceId)) {
				routable.add(each);
			}
		}
		return routable;
	}

	private void forget(String serviceId, Set<String> listed) {
		for (Map.Entry<String, Departure> each : this.leaving.entries().entrySet()) {
			if (each.getValue().isOver(serviceId, listed.contains(each.getKey()))) {
				this.leaving.remove(each.getKey(), each.getValue());
			}
		}
		for (Map.Entry<String, OpenedInstance> each : this.opened.entries().entrySet()) {
			if (each.getValue().getServiceId().equalsIgnoreCase(serviceId) && listed.contains(each.getKey())) {
				this.opened.remove(each.getKey(), each.getValue());
			}
		}
	}

	/**
	 * Leaves out those that are leaving.
	 * @param instances any choice of instances
	 * @return the others; the same list where none is leaving
	 */
	public List<ServiceInstance> withoutLeaving(List<ServiceInstance> instances) {
		if (this.leaving.isEmpty()) {
			return instances;
		}
		List<ServiceInstance> staying = new ArrayList<>();
		for (ServiceInstance each : instances) {
			if (!isLeaving(each)) {
				staying.add(each);
			}
		}
		return (staying.size() < instances.size()) ? staying : instances;
	}

	/**
	 * When something was announced or taken back last; a list that was made before, or
	 * less than a second after, may not know of it.
	 * @return the time of the last change, {@link Instant#MIN} where there was none
	 */
	Instant changed() {
		return this.changed;
	}

	/**
	 * Whether lists that are made now know of the last change, however long their making
	 * took.
	 * @return {@code false} for a second after each change
	 */
	boolean isSettled() {
		return !this.clock.instant().isBefore(this.changed.plus(SETTLING));
	}

	private boolean isLeaving(ServiceInstance instance) {
		return instance.getInstanceId() != null && this.leaving.contains(instance.getInstanceId());
	}

	private void changed(String instanceId, String what) {
		this.changed = this.clock.instant();
		logger.debug("{} {}, by its own word", instanceId, what);
	}

	/** Ends when the registry, having listed the instance, does so no more. */
	private static final class Departure {

		private final Set<String> listedBy = ConcurrentHashMap.newKeySet();

		boolean isOver(String serviceId, boolean listed) {
			if (listed) {
				this.listedBy.add(serviceId);
				return false;
			}
			return this.listedBy.contains(serviceId);
		}

	}

}
