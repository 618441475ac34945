package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Decides which services are requested to warm this gateway, and when: each until one of
 * its runs has gone through, whatever triggered that run, and again when there was
 * neither a user nor such a run for long. Thread-safe.
 */
public final class GatewayWarmupSchedule {

	static final Duration MIN_BACKOFF = Duration.ofSeconds(1);

	static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

	/** How long a service is left alone that does not warm. */
	static final Duration REST = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmupSchedule.class);

	private final Fleet fleet;

	private final UserActivity activity;

	private final IdleSchedule idle;

	private final Clock clock;

	private final Map<String, Service> services = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	public GatewayWarmupSchedule(Fleet fleet, UserActivity activity, IdleSchedule idle, Clock clock) {
		this.fleet = fleet;
		this.activity = activity;
		this.idle = idle;
		this.clock = clock;
	}

	/**
	 * Updates which services there are. What one has warmed stays so until it would be
	 * due again, also while it has no instance, as when its only one restarts.
	 */
	synchronized void update(Collection<String> names) {
		this.services.values()
			.removeIf((known) -> names.stream().noneMatch(known.name::equalsIgnoreCase)
					&& (!known.isWarmed() || known.due().isPresent()));
		names.forEach((name) -> this.services.computeIfAbsent(name, Service::new));
	}

	/** Whether a service is due that has never warmed this gateway. */
	synchronized boolean isStartupDue() {
		return this.services.values()
			.stream()
			.anyMatch((service) -> service.due().filter(Trigger.STARTUP::equals).isPresent());
	}

	/**
	 * Begins a request; {@link #end} must follow. Returns the trigger, or empty when the
	 * service is not due.
	 */
	synchronized Optional<Trigger> begin(String name) {
		return service(name).flatMap(Service::begin);
	}

	/** Records how a run ended that was requested. */
	synchronized void completed(String name, Verdict verdict) {
		service(name).ifPresent((service) -> service.completed(verdict));
	}

	/** Records why there was no run; the service is due again later. */
	synchronized void failed(String name, NotWarmedException reason) {
		service(name).ifPresent((service) -> service.failed(reason));
	}

	/** Ends a request, with or without a result. */
	synchronized void end(String name) {
		service(name).ifPresent((service) -> service.requested = false);
	}

	/** How far a service is in warming this gateway. */
	synchronized Progress progress(String name) {
		return service(name).map(Service::progress).orElse(Progress.UNSUPPORTED);
	}

	/** Whether an instance of a service is being warmed, by whatever triggered that. */
	boolean isWarming(String name) {
		return this.fleet.members(name).anyMatch(Member::isWarming);
	}

	/** How long the gateway must be idle, and when the first of its services is due. */
	public synchronized IdleSchedule.Status idle() {
		Optional<Instant> next = this.services.values()
			.stream()
			.filter(Service::isWarmed)
			.flatMap((service) -> service.idleAt().stream())
			.min(Instant::compareTo);
		return new IdleSchedule.Status(this.idle.after(), this.activity.lastUserRequest(), next);
	}

	private Optional<Service> service(String name) {
		return Optional.ofNullable(this.services.get(name));
	}

	/** A run that was answered has warmed the gateway, even if it was not steady. */
	private static boolean wentThrough(Verdict verdict) {
		return verdict != Verdict.FAILED && verdict != Verdict.SKIPPED;
	}

	/** How far a service is in warming this gateway. */
	enum Progress {

		/** No run of it has gone through. */
		PENDING,

		/** It does not warm, or is gone. */
		UNSUPPORTED,

		/** A run has gone through, but did not end WARM. */
		NOT_WARM,

		/** A run has left an instance warm. */
		WARM

	}

	/** One service; guarded by the schedule. */
	private final class Service {

		private final String name;

		private boolean requested;

		private Progress reached = Progress.PENDING;

		private boolean unsupported;

		private int failures;

		private Instant notBefore = Instant.MIN;

		private Optional<Instant> completedAt = Optional.empty();

		Service(String name) {
			this.name = name;
		}

		Optional<Trigger> due() {
			Instant now = GatewayWarmupSchedule.this.clock.instant();
			if (this.requested || now.isBefore(this.notBefore) || isWarming(this.name)) {
				return Optional.empty();
			}
			return isWarmed() ? idleAt().filter((at) -> !now.isBefore(at)).map((at) -> Trigger.IDLE)
					: Optional.of(Trigger.STARTUP);
		}

		Optional<Trigger> begin() {
			Optional<Trigger> due = due();
			this.requested |= due.isPresent();
			return due;
		}

		boolean isWarmed() {
			Progress progress = progress();
			return progress == Progress.NOT_WARM || progress == Progress.WARM;
		}

		Optional<Instant> idleAt() {
			Stream<Instant> seen = GatewayWarmupSchedule.this.fleet.members(this.name).map(Member::lastSeen);
			Optional<Instant> user = GatewayWarmupSchedule.this.activity.lastUserRequest();
			return GatewayWarmupSchedule.this.idle
				.next(Stream.of(seen, user.stream(), this.completedAt.stream()).flatMap((each) -> each));
		}

		/**
		 * Runs count, too, that the service started itself; what they have warmed stays
		 * so when the instance leaves.
		 */
		Progress progress() {
			GatewayWarmupSchedule.this.fleet.members(this.name)
				.flatMap((member) -> member.lastRun().stream())
				.map(RunRecord::verdict)
				.filter(GatewayWarmupSchedule::wentThrough)
				.forEach(this::reached);
			return (this.reached == Progress.PENDING && this.unsupported) ? Progress.UNSUPPORTED : this.reached;
		}

		private void reached(Verdict verdict) {
			if (this.reached == Progress.PENDING) {
				wentThrough();
			}
			if (this.reached != Progress.WARM) {
				this.reached = (verdict == Verdict.WARM) ? Progress.WARM : Progress.NOT_WARM;
			}
		}

		private void wentThrough() {
			this.unsupported = false;
			this.failures = 0;
			this.completedAt = Optional.of(GatewayWarmupSchedule.this.clock.instant());
		}

		/** The service may have another name in discovery than in its reports. */
		void completed(Verdict how) {
			wentThrough();
			reached(how);
		}

		void failed(NotWarmedException reason) {
			boolean isNew = this.failures == 0 || this.unsupported != reason.isUnsupported();
			this.unsupported = reason.isUnsupported();
			this.notBefore = GatewayWarmupSchedule.this.clock.instant().plus(this.unsupported ? REST : backoff());
			this.failures++;
			logger.atLevel(isNew ? Level.INFO : Level.DEBUG).log("Not warmed yet: {}", reason.getMessage());
		}

		/** From half to all of a duration that doubles each time. */
		private Duration backoff() {
			Duration doubled = MIN_BACKOFF.multipliedBy(1L << Math.min(this.failures, 16));
			long max = Math.min(doubled.toMillis(), MAX_BACKOFF.toMillis());
			return Duration.ofMillis(ThreadLocalRandom.current().nextLong(max / 2, max + 1));
		}

	}

}
