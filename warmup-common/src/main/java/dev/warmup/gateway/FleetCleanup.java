package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.discovery.InstanceLookup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.context.event.EventListener;

/**
 * Removes instances from the {@link Fleet} that discovery has not had for five minutes,
 * such as one that was killed. Checks when discovery was read anew.
 */
class FleetCleanup implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(FleetCleanup.class);

	/** Longer than a registry that restarts empty takes to be complete again. */
	static final Duration MISSING_FOR = Duration.ofMinutes(5);

	private final Fleet fleet;

	private final InstanceLookup lookup;

	private final Clock clock;

	private final Map<String, Instant> missingSince = new ConcurrentHashMap<>();

	private final Disposable.Swap checking = Disposables.swap();

	FleetCleanup(Fleet fleet, InstanceLookup lookup, Clock clock) {
		this.fleet = fleet;
		this.lookup = lookup;
		this.clock = clock;
	}

	/** Checks in the background; ends a check under way. */
	@EventListener(HeartbeatEvent.class)
	public void onHeartbeat() {
		this.checking.update(check().subscribe());
	}

	/** A registry that does not answer proves nothing. */
	Mono<Void> check() {
		return Mono.defer(this::absent)
			.flatMapIterable(this::missing)
			.concatMap(this::confirm)
			.then()
			.onErrorResume((error) -> {
				logger.debug("Could not determine which instances are gone: {}", error.toString());
				return Mono.empty();
			});
	}

	private Mono<Set<String>> absent() {
		Set<String> absent = new HashSet<>(this.fleet.instanceIds());
		absent.removeIf((id) -> this.lookup.known(id).isPresent());
		return absent.isEmpty() ? Mono.just(absent) : this.lookup.recent().map((recent) -> {
			absent.removeAll(recent.keySet());
			return absent;
		});
	}

	/** Returns those that have been absent for long enough. */
	private List<String> missing(Set<String> absent) {
		Instant now = this.clock.instant();
		this.missingSince.keySet().retainAll(absent);
		absent.forEach((id) -> this.missingSince.putIfAbsent(id, now));
		return absent.stream()
			.filter((id) -> !now.isBefore(this.missingSince.getOrDefault(id, now).plus(MISSING_FOR)))
			.toList();
	}

	/**
	 * The last word is a look-up's: a registry may have no local copy, and no changes.
	 */
	private Mono<Void> confirm(String id) {
		return this.lookup.find(id).doOnNext((found) -> {
			this.missingSince.remove(id);
			if (found.isEmpty()) {
				this.fleet.left(id);
			}
		}).then();
	}

	@Override
	public void destroy() {
		this.checking.dispose();
	}

}
