package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.discovery.InstanceLookup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
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

	/** In one check: after such a restart all are missing at once. */
	static final int MAX_LOOKUPS = 10;

	private final Fleet fleet;

	private final InstanceLookup lookup;

	private final Clock clock;

	private final Map<String, Instant> missingSince = new ConcurrentHashMap<>();

	private final Map<String, Instant> lookedUp = new ConcurrentHashMap<>();

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

	/**
	 * Looks up those first that were not for longest. A look-up that fails proves
	 * nothing, and ends the check.
	 */
	Mono<Void> check() {
		return Mono.fromSupplier(this.fleet::instanceIds)
			.doOnNext(this.missingSince.keySet()::retainAll)
			.doOnNext(this.lookedUp.keySet()::retainAll)
			.flatMapMany(Flux::fromIterable)
			.filter((id) -> !isKnown(id))
			.sort(Comparator.comparing((id) -> this.lookedUp.getOrDefault(id, Instant.MIN)))
			.take(MAX_LOOKUPS)
			.doOnNext((id) -> this.lookedUp.put(id, this.clock.instant()))
			.concatMap((id) -> this.lookup.find(id).doOnNext((found) -> {
				if (found.isPresent()) {
					this.missingSince.remove(id);
				}
				else {
					missing(id);
				}
			}), 1)
			.then()
			.onErrorResume((error) -> {
				logger.debug("Could not determine which instances are gone: {}", error.toString());
				return Mono.empty();
			});
	}

	private boolean isKnown(String id) {
		boolean known = this.lookup.known(id).isPresent();
		if (known) {
			this.missingSince.remove(id);
		}
		return known;
	}

	private void missing(String id) {
		Instant now = this.clock.instant();
		Instant since = this.missingSince.computeIfAbsent(id, (first) -> now);
		if (!now.isBefore(since.plus(MISSING_FOR))) {
			this.fleet.left(id);
		}
	}

	@Override
	public void destroy() {
		this.checking.dispose();
	}

}
