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
import dev.warmup.protocol.Phase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the gateway's gate when a run of every service that was there at first has come
 * through it, or the budget is over. Where the gate is to stay closed on failure, it
 * opens when all of these have left it warm. Thread-safe.
 */
public final class GatewayReadiness {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Gate gate;

	private final GatewayWarmupSchedule agenda;

	private final InstanceSource self;

	private final Duration budget;

	private final Clock clock;

	private Optional<Instant> since = Optional.empty();

	private Optional<List<String>> awaited = Optional.empty();

	private boolean finished;

	private boolean told;

	/**
	 * Creates the readiness.
	 * @param gate the gate to open
	 * @param agenda tells how far the services are
	 * @param self who this gateway is
	 * @param budget how long users are kept waiting
	 * @param clock the source of time
	 */
	public GatewayReadiness(Gate gate, GatewayWarmupSchedule agenda, InstanceSource self, Duration budget,
			Clock clock) {
		this.gate = gate;
		this.agenda = agenda;
		this.self = self;
		this.budget = budget;
		this.clock = clock;
	}

	/** Starts the budget. */
	synchronized void start() {
		this.since = Optional.of(this.clock.instant());
	}

	/** Takes in which services there are; the first time says whom to wait for. */
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

	/** Looks whether the gate may open. */
	synchronized void check() {
		if (this.finished) {
			return;
		}
		Map<String, Progress> progress = new TreeMap<>();
		this.awaited.stream()
			.flatMap(List::stream)
			.forEach((service) -> progress.put(service, this.agenda.progress(service)));
		progress.values().removeIf(Progress.REFUSED::equals);
		boolean all = this.awaited.isPresent() && !progress.containsValue(Progress.PENDING);
		if (all || took().compareTo(this.budget) >= 0) {
			this.gate.onConcluded(phase(progress.values(), all));
			this.finished = this.gate.isOpen();
			tell(progress);
		}
	}

	private static Optional<Phase> phase(Collection<Progress> progress, boolean all) {
		if (all && progress.isEmpty()) {
			return Optional.empty();
		}
		return Optional.of((all && progress.stream().allMatch(Progress.WARM::equals)) ? Phase.WARM : Phase.DEGRADED);
	}

	private void tell(Map<String, Progress> progress) {
		if (!this.finished && this.told) {
			return;
		}
		this.told = true;
		Instance gateway = this.self.get();
		logger.info("{}/{} {}: {}", gateway.service(), gateway.instanceId(),
				this.finished ? "READY" : "NOT READY, as a failure keeps the gate closed", figures(progress));
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
