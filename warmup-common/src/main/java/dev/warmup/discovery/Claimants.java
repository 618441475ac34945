package dev.warmup.discovery;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.springframework.cloud.client.ServiceInstance;

/**
 * The instances whose claims were verified, at most 1000: beyond that the one that was
 * asked for longest ago is forgotten. Thread-safe.
 */
final class Claimants {

	private static final int MAX = 1000;

	private final Map<String, Claimant> claimants = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Claimant> eldest) {
			return size() > MAX;
		}

	};

	synchronized Optional<Claimant> find(String instanceId) {
		return Optional.ofNullable(this.claimants.get(instanceId));
	}

	synchronized void remember(String instanceId, Claimant claimant) {
		this.claimants.put(instanceId, claimant);
	}

	synchronized void forget(String instanceId) {
		this.claimants.remove(instanceId);
	}

	synchronized int size() {
		return this.claimants.size();
	}

	/**
	 * An instance and when discovery was last asked for it.
	 *
	 * @param instance what discovery said
	 * @param checkedAt when that was
	 */
	record Claimant(ServiceInstance instance, Instant checkedAt) {

	}

}
