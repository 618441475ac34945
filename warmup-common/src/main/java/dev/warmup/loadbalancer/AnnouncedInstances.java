package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.warmup.discovery.InstanceAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Corrects the list of the registry by what instances announced, never against what the
 * registry knows of them. Those that opened are added, for ten minutes, until the
 * registry lists them, has them as taking no users, a connection to them is refused, or
 * they were restarted. Those that deregistered, or have a successor under their id, are
 * removed, for two minutes, until the registry no longer lists them, or lists another
 * instance of the same id, which has another key. Thread-safe.
 */
final class AnnouncedInstances {

	private static final Logger logger = LoggerFactory.getLogger(AnnouncedInstances.class);

	private static final Duration OPENED_FOR = Duration.ofMinutes(10);

	private static final Duration DEREGISTERED_FOR = Duration.ofMinutes(2);

	private static final Duration EVICTION_INTERVAL = Duration.ofMillis(100);

	private static final int MORE_EVICTIONS = 10;

	private final Predicate<ServiceInstance> refusing;

	private final Recent<MarkedInstance> opened;

	private final Recent<Departure> departures;

	private final Consumer<Optional<String>> evict;

	private final Scheduler scheduler;

	/**
	 * Creates it without any announcement. {@code refusing} matches instances that take
	 * no users by the local copy of the registry, and {@code evict} drops the lists that
	 * load balancers cache of a service, or of all; it does not block.
	 */
	AnnouncedInstances(Clock clock, Predicate<ServiceInstance> refusing, Consumer<Optional<String>> evict,
			Scheduler scheduler) {
		this.refusing = refusing;
		this.evict = evict;
		this.scheduler = scheduler;
		this.opened = new Recent<>(clock, OPENED_FOR);
		this.departures = new Recent<>(clock, DEREGISTERED_FOR);
	}

	/**
	 * An instance takes users from now on. Ignored where it has no id, and where this
	 * very instance has deregistered: its report was overtaken.
	 */
	void opened(ServiceInstance instance) {
		String id = instance.getInstanceId();
		Optional<Departure> departure = (id != null) ? this.departures.find(id) : Optional.empty();
		if (id != null && departure.filter((each) -> each.isCertainlyOf(instance)).isEmpty()) {
			departure.filter((each) -> each.isOf(instance)).ifPresent((each) -> this.departures.remove(id, each));
			this.opened.put(id, new MarkedInstance(instance, false));
			logger.debug("{} announced that it takes users", id);
			evict(Optional.of(instance));
		}
	}

	/**
	 * An instance is about to be warmed. What was announced, or is still listed, under
	 * its id with another key is the previous process.
	 */
	void registered(ServiceInstance instance) {
		String id = instance.getInstanceId();
		if (id == null || InstanceAddress.key(instance).isEmpty()) {
			return;
		}
		this.opened.find(id)
			.filter((before) -> !InstanceAddress.key(before).equals(InstanceAddress.key(instance)))
			.ifPresent((before) -> this.opened.remove(id, before));
		Departure ofPredecessors = Departure.ofPredecessors(instance);
		Optional<Departure> known = this.departures.find(id);
		if (known.filter((each) -> each.mayBeOf(instance) || each.isSameAs(ofPredecessors)).isEmpty()) {
			this.departures.put(id, ofPredecessors);
			evict(Optional.of(instance));
		}
	}

	/** An instance, which the registry may know, takes no users any more. */
	void deregistered(String instanceId, Optional<ServiceInstance> known) {
		this.opened.remove(instanceId);
		this.departures.put(instanceId, Departure.of(known.flatMap(InstanceAddress::key)));
		logger.debug("{} announced that it stops", instanceId);
		evict(known);
	}

	/**
	 * The lists of its service, or all where that is not known. Again for a second, since
	 * a list requested before the change may be cached after it.
	 */
	private void evict(Optional<ServiceInstance> instance) {
		Optional<String> service = instance.map(ServiceInstance::getServiceId);
		this.evict.accept(service);
		for (int i = 1; i <= MORE_EVICTIONS; i++) {
			this.scheduler.schedule(() -> this.evict.accept(service), i * EVICTION_INTERVAL.toMillis(),
					TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * A connection to a chosen instance could not be made: its announcement no longer
	 * counts. Returns whether it was chosen by its announcement alone.
	 */
	boolean refused(ServiceInstance instance) {
		String id = instance.getInstanceId();
		if (id != null && instance instanceof MarkedInstance && this.opened.remove(id)) {
			evict(Optional.of(instance));
			logger.info("{}/{} cannot be reached, and takes no users until the registry lists it",
					instance.getServiceId(), id);
		}
		return MarkedInstance.isOpened(instance);
	}

	/**
	 * Corrects the list of a service, in upper or lower case, to the instances that take
	 * users. The list is the registry's of now, unfiltered.
	 */
	List<ServiceInstance> routable(String serviceId, List<ServiceInstance> listed) {
		if (this.opened.isEmpty() && this.departures.isEmpty()) {
			return listed;
		}
		dropOutdated(serviceId, listed);
		List<ServiceInstance> routable = new ArrayList<>(withoutDeregistered(listed));
		for (MarkedInstance announced : this.opened.values()) {
			if (announced.getServiceId().equalsIgnoreCase(serviceId)) {
				routable.removeIf((each) -> Objects.equals(each.getInstanceId(), announced.getInstanceId()));
				routable.add(announced);
			}
		}
		return Collections.unmodifiableList(routable);
	}

	private void dropOutdated(String serviceId, List<ServiceInstance> listed) {
		Map<@Nullable String, ServiceInstance> byId = new HashMap<>();
		listed.forEach((each) -> byId.put(each.getInstanceId(), each));
		this.departures.removeIf((id, departure) -> departure.isOver(serviceId, Optional.ofNullable(byId.get(id))));
		this.opened.removeIf((id, instance) -> instance.getServiceId().equalsIgnoreCase(serviceId)
				&& (isSame(byId.get(id), instance) || this.refusing.test(instance)));
	}

	private static boolean isSame(@Nullable ServiceInstance listed, ServiceInstance opened) {
		return listed != null && InstanceAddress.key(listed).equals(InstanceAddress.key(opened));
	}

	/** Removes the instances that deregistered; returns the same list where none is. */
	List<ServiceInstance> withoutDeregistered(List<ServiceInstance> instances) {
		if (this.departures.isEmpty() || instances.stream().noneMatch(this::isDeregistered)) {
			return instances;
		}
		return instances.stream().filter((each) -> !isDeregistered(each)).toList();
	}

	private boolean isDeregistered(ServiceInstance instance) {
		return instance.getInstanceId() != null && this.departures.find(instance.getInstanceId())
			.filter((departure) -> departure.isOf(instance))
			.isPresent();
	}

	/**
	 * Ends when the registry, having listed the instance, no longer does, or lists
	 * another under the same id.
	 *
	 * @param service the service whose instances of that id and with another key are
	 * gone; where it is empty, the one with the key is gone, or if that is empty, any
	 * @param listedBy the services that listed the id since then
	 */
	private record Departure(Optional<String> key, Optional<String> service, Set<String> listedBy) {

		/** Of the instance that has the key; where that is not known, of any. */
		static Departure of(Optional<String> key) {
			return new Departure(key, Optional.empty(), ConcurrentHashMap.newKeySet());
		}

		/** Of those that had the instance's id, and another key, before it. */
		static Departure ofPredecessors(ServiceInstance successor) {
			return new Departure(InstanceAddress.key(successor), Optional.of(successor.getServiceId()),
					ConcurrentHashMap.newKeySet());
		}

		boolean isSameAs(Departure other) {
			return this.key.equals(other.key) && this.service.equals(other.service);
		}

		boolean isOf(ServiceInstance listed) {
			Optional<String> listedKey = InstanceAddress.key(listed);
			return this.service
				.map((name) -> name.equalsIgnoreCase(listed.getServiceId()) && listedKey.isPresent()
						&& !listedKey.equals(this.key))
				.orElseGet(() -> this.key.isEmpty() || this.key.equals(listedKey));
		}

		/** Whether the instance itself announced it, as far as is known. */
		boolean mayBeOf(ServiceInstance reported) {
			return this.service.isEmpty() && isOf(reported);
		}

		boolean isCertainlyOf(ServiceInstance reported) {
			return this.key.isPresent() && mayBeOf(reported);
		}

		boolean isOver(String serviceId, Optional<ServiceInstance> listed) {
			if (listed.isPresent()) {
				this.listedBy.add(serviceId);
				return !isOf(listed.get());
			}
			return this.listedBy.contains(serviceId);
		}

	}

}
