package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.warmup.gateway.GatewayWarmupSchedule.Progress;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the gateway's gate when a run of every service that was registered at first has
 * gone through it, or the budget is used up. Thread-safe.
 */
final class GatewayReadiness {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Gate gate;

	private final GatewayWarmupSchedule schedule;

	private final InstanceSource self;

	private final Duration budget;

	private final Clock clock;

	private Optional<Instant> since = Optional.empty();

	private Optional<List<String>> awaited = Optional.empty();

	private boolean finished;

	/**
	 * Creates the readiness.
	 * @param gate the gate to open
	 * @param schedule knows the progress of each service
	 * @param self the identity of this gateway
	 * @param budget how long the gate stays closed at most
	 * @param clock the source of time
	 */
	GatewayReadiness(Gate gate, GatewayWarmupSchedule schedule, InstanceSource self, Duration budget, Clock clock) {
		this.gate = gate;
		this.schedule = schedule;
		this.self = self;
		this.budget = budget;
		this.clock = clock;
	}

	/** Starts the budget. */
	synchronized void start() {
		this.since = Optional.of(this.clock.instant());
	}

	/** Updates which services there are; those of the first call are awaited. */
	synchronized void found(Collection<String> services) {
		if (this.awaited.isEmpty()) {
			this.awaited = Optional.of(List.copyOf(services));
			if (!services.isEmpty()) {
				logger.info("Warming through this gateway: {} {} ({}), at most {} s", services.size(),
						(services.size() == 1) ? "service" : "services", String.join(", ", services),
						this.budget.toSeconds());
			}
		}
		check();
	}

	/** Opens the gate if it is time to. */
	synchronized void check() {
		if (this.finished) {
			return;
		}
		Map<String, Progress> progress = new TreeMap<>();
		this.awaited.stream()
			.flatMap(List::stream)
			.forEach((service) -> progress.put(service, this.schedule.progress(service)));
		progress.values().removeIf(Progress.UNSUPPORTED::equals);
		boolean complete = this.awaited.isPresent() && !progress.containsValue(Progress.PENDING);
		if (complete || took().compareTo(this.budget) >= 0) {
			this.finished = true;
			this.gate.onConcluded(Optional.empty());
			Instance gateway = this.self.get();
			logger.info("{}/{} READY: {}", gateway.service(), gateway.instanceId(), figures(progress));
		}
	}

	private String figures(Map<String, Progress> progress) {
		String took = String.format(Locale.ROOT, "%.1f s", took().toMillis() / 1e3);
		if (this.awaited.isEmpty()) {
			return "discovery did not answer in " + took;
		}
		if (progress.isEmpty()) {
			return this.awaited.get().isEmpty() ? "there is no service to warm it" : "none of its services can warm it";
		}
		String line = "warmed through by %d of %d services in %s".formatted(count(progress, Progress.WARM),
				progress.size(), took);
		String rest = progress.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() != Progress.WARM)
			.map((entry) -> entry.getKey() + (entry.getValue().equals(Progress.PENDING) ? " not at all" : " in part"))
			.collect(Collectors.joining(", "));
		return rest.isEmpty() ? line : line + "; " + rest;
	}

	private static long count(Map<String, Progress> progress, Progress wanted) {
		return progress.values().stream().filter(wanted::equals).count();
	}

	private Duration took() {
		return this.since.map((start) -> Duration.between(start, this.clock.instant())).orElse(Duration.ZERO);
	}

}
