package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.IdleStatus;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which services are to be asked, and when: once until a run of theirs has come
 * through this gateway, whoever started it, and again when neither a user nor such a run
 * was here for long. Thread-safe.
 */
public final class GatewayWarmupSchedule {

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmupSchedule.class);

	private final Fleet fleet;

	private final UserActivity idleClock;

	private final IdleSchedule schedule;

	private final Duration wait;

	private final Clock clock;

	private final Map<String, GatewayWarmupRequest> errands = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	/**
	 * Creates an empty agenda.
	 * @param fleet tells which runs came through
	 * @param idleClock tells when the last user was here
	 * @param schedule how long is long
	 * @param clock the source of time
	 * @param random the source of jitter, from 0 to 1, asked once: it keeps the gateways
	 * apart
	 */
	public GatewayWarmupSchedule(Fleet fleet, UserActivity idleClock, IdleSchedule schedule, Clock clock,
			DoubleSupplier random) {
		this.fleet = fleet;
		this.idleClock = idleClock;
		this.schedule = schedule;
		this.clock = clock;
		this.wait = schedule.after()
			.plusNanos((long) (schedule.after().toNanos() * schedule.jitter() * random.getAsDouble()));
	}

	/** Takes in which services there are. */
	synchronized void found(Collection<String> services) {
		this.errands.keySet().removeIf((known) -> services.stream().noneMatch(known::equalsIgnoreCase));
		services
			.forEach((service) -> this.errands.computeIfAbsent(service, (key) -> new GatewayWarmupRequest(this.clock)));
	}

	/** Whether some service is to be asked that never was here. */
	synchronized boolean isStartupDue() {
		return this.errands.entrySet()
			.stream()
			.anyMatch((entry) -> due(entry.getKey(), entry.getValue()).filter(Trigger.STARTUP::equals).isPresent());
	}

	/**
	 * Takes up an errand that is due; {@link #ended} must follow.
	 * @return what for, or empty when the service is not to be asked now
	 */
	synchronized Optional<Trigger> takeUp(String service) {
		GatewayWarmupRequest errand = this.errands.get(service);
		Optional<Trigger> due = (errand != null) ? due(service, errand) : Optional.empty();
		if (errand != null && due.isPresent()) {
			errand.underWay = true;
		}
		return due;
	}

	/** Ends an errand. */
	synchronized void ended(String service) {
		errand(service).ifPresent((errand) -> errand.underWay = false);
	}

	/** Notes what came of an errand; where that was nothing, it is due again later. */
	synchronized void note(String service, GatewayWarmupResult answer) {
		errand(service).ifPresent((errand) -> {
			if (answer instanceof GatewayWarmupResult.CameThrough run) {
				errand.cameThrough(run.verdict());
				return;
			}
			if (answer instanceof GatewayWarmupResult.Unable) {
				errand.failed();
			}
			else if (answer instanceof GatewayWarmupResult.Denied) {
				errand.denied();
			}
			else if (answer instanceof GatewayWarmupResult.Refused) {
				errand.refused();
			}
			if (errand.isNews(answer)) {
				logger.info("Not warming through this gateway yet: {}", answer.problem());
			}
			else {
				logger.debug("Not warming through this gateway yet: {}", answer.problem());
			}
		});
	}

	/** How far a service is. */
	synchronized Progress progress(String service) {
		GatewayWarmupRequest errand = this.errands.get(service);
		if (errand == null) {
			return Progress.REFUSED;
		}
		List<Verdict> verdicts = verdicts(errand, this.fleet.standing(service));
		if (verdicts.contains(Verdict.WARM)) {
			return Progress.WARM;
		}
		if (verdicts.stream().anyMatch(GatewayWarmupSchedule::cameThrough)) {
			return Progress.SHORT_OF_WARM;
		}
		return errand.refused ? Progress.REFUSED : Progress.PENDING;
	}

	/**
	 * When the gateway is warmed again.
	 * @return how long it must be idle, and when the first of its services is due
	 */
	public IdleStatus idle() {
		return new IdleStatus(this.schedule.after(), this.idleClock.lastUserRequest(), next());
	}

	private synchronized Optional<Instant> next() {
		return this.errands.entrySet()
			.stream()
			.filter((entry) -> isWarmed(entry.getValue(), this.fleet.standing(entry.getKey())))
			.flatMap((entry) -> idleAt(entry.getValue(), this.fleet.standing(entry.getKey())).stream())
			.min(Instant::compareTo);
	}

	private Optional<Trigger> due(String service, GatewayWarmupRequest errand) {
		ServiceSummary standing = this.fleet.standing(service);
		if (errand.underWay || errand.rests() || standing.underWay()) {
			return Optional.empty();
		}
		return isWarmed(errand, standing)
				? idleAt(errand, standing).filter((at) -> !this.clock.instant().isBefore(at)).map((at) -> Trigger.IDLE)
				: Optional.of(Trigger.STARTUP);
	}

	private static boolean isWarmed(GatewayWarmupRequest errand, ServiceSummary standing) {
		if (!errand.warmed && verdicts(errand, standing).stream().anyMatch(GatewayWarmupSchedule::cameThrough)) {
			errand.warmed();
		}
		return errand.warmed;
	}

	/** A service may go by another name in discovery than in its reports. */
	private static List<Verdict> verdicts(GatewayWarmupRequest errand, ServiceSummary standing) {
		return Stream.concat(standing.verdicts().stream(), errand.verdict().stream()).toList();
	}

	private Optional<Instant> idleAt(GatewayWarmupRequest errand, ServiceSummary standing) {
		return this.schedule.isNever() ? Optional.empty()
				: Stream.of(this.idleClock.lastUserRequest(), standing.heardOf(), errand.cameThroughAt())
					.flatMap(Optional::stream)
					.max(Instant::compareTo)
					.map((last) -> last.plus(this.wait));
	}

	/** A run that was answered has warmed the way, whatever it lacks. */
	private static boolean cameThrough(Verdict verdict) {
		return verdict != Verdict.FAILED && verdict != Verdict.SKIPPED;
	}

	private Optional<GatewayWarmupRequest> errand(String service) {
		return Optional.ofNullable(this.errands.get(service));
	}

	/** How far a service is in warming this gateway. */
	enum Progress {

		/** No run of it has come through. */
		PENDING,

		/** It does not warm, or is gone. */
		REFUSED,

		/** A run has come through, but left it short of warm. */
		SHORT_OF_WARM,

		/** A run has left an instance warm. */
		WARM

	}

}
