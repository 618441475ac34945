package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Trigger;
import dev.warmup.registry.Registered;
import org.jspecify.annotations.Nullable;

/**
 * One instance of the {@link Fleet}: what the registry says of it, and what the last look
 * at it found. Does nothing by itself. Thread-safe.
 */
final class Member {

	/** The share of users that an instance has when its gate opens. */
	private static final double FIRST_SHARE = 0.1;

	private static final Duration URGENT = Duration.ofSeconds(1);

	private static final Duration REGULAR = Duration.ofSeconds(30);

	/** Then an unlisted instance is gone, and one that never answered is as any other. */
	private static final int FAILED_LOOKS = 3;

	/** Those at this instance. */
	final Looks.Pending pending = new Looks.Pending();

	private final Clock clock;

	private Registered registered;

	/** Whether the registry listed it when this gateway started. */
	private final boolean initial;

	/** Null for an application without the library, and before the first look. */
	private volatile @Nullable InstanceState state;

	private boolean answered;

	private Instant lookBegan = Instant.MIN;

	private int failures;

	/** Whether the last attempt to connect failed. */
	private boolean unreachable;

	/** When its gate opened beside others; null if that was alone, or before its time. */
	private @Nullable Instant opened;

	private Instant since;

	private volatile boolean awaitsUser;

	/** Those that its present run has gone over. */
	private final Set<String> routes = ConcurrentHashMap.newKeySet();

	Member(Registered registered, boolean initial, Clock clock) {
		this.registered = registered;
		this.initial = initial;
		this.clock = clock;
		this.since = clock.instant();
	}

	synchronized Registered registered() {
		return this.registered;
	}

	synchronized Instance instance() {
		return this.registered.instance();
	}

	/** What the last look found; empty for an application without the library. */
	Optional<InstanceState> state() {
		return Optional.ofNullable(this.state);
	}

	/** Takes what the registry says; returns whether its status is another one. */
	synchronized boolean registered(Registered now) {
		boolean changed = this.registered.status() != now.status();
		this.registered = now;
		return changed;
	}

	/** Whether looks say that it is gone, or has no library. */
	synchronized boolean isGone() {
		return (this.answered && this.state == null) || this.failures >= FAILED_LOOKS;
	}

	/** Whether it has the library: until the first look, by its metadata. */
	synchronized boolean mayHaveLibrary() {
		return this.state != null || (!this.answered && this.registered.hasLibrary());
	}

	/** When the next look is due. */
	synchronized Instant nextLook() {
		if (!this.answered && this.failures == 0) {
			return Instant.MIN;
		}
		InstanceState known = this.state;
		if (this.answered && known == null && !this.registered.hasLibrary() && this.failures == 0) {
			return Instant.MAX;
		}
		boolean urgent = this.failures > 0
				|| (known != null && (known.phase() == Phase.WARMING || !known.takesUsers()));
		return this.lookBegan.plus(urgent ? URGENT : REGULAR);
	}

	synchronized void lookBegins() {
		this.lookBegan = this.clock.instant();
	}

	/** Whether the last look began a second ago or earlier. */
	synchronized boolean mayLookAgain() {
		return !this.clock.instant().isBefore(this.lookBegan.plus(URGENT));
	}

	/** A look found an application without the library. */
	synchronized boolean foundPlain() {
		boolean changed = !this.answered || this.state != null || this.unreachable;
		take(null);
		return changed;
	}

	/**
	 * A look, or a request, failed; {@code absent} where the instance is certainly not
	 * there. Returns whether that is new.
	 */
	synchronized boolean failed(boolean absent) {
		boolean changed = absent && !this.unreachable;
		this.failures++;
		this.unreachable |= absent;
		return changed;
	}

	private void take(@Nullable InstanceState found) {
		this.answered = true;
		this.state = found;
		this.failures = 0;
		this.unreachable = false;
	}

	/**
	 * A look has found a state.
	 * @param others how many others serve users in its zone
	 * @param window over which its share grows
	 * @return the lines of the status log that this is worth, or null if nothing changed
	 */
	synchronized @Nullable List<String> found(InstanceState next, int others, Duration window) {
		Instance instance = instance();
		InstanceState known = this.state;
		InstanceState before = (known != null && known.boot().equals(next.boot())) ? known : null;
		boolean earlier = this.initial && !this.answered;
		boolean wasUnreachable = this.unreachable;
		take(next);
		List<String> lines = new ArrayList<>();
		if (before == null) { // a new process, which may have the id of another
			this.opened = null;
		}
		if (before == null || before.phase() != next.phase()) {
			this.since = this.clock.instant();
			if (next.phase() == Phase.WARMING) {
				lines.add(StatusLine.warming(instance));
			}
		}
		if (next.gate() == GatePosition.OPEN && (before == null || before.gate() == GatePosition.CLOSED) && !earlier) {
			this.opened = (others > 0) ? this.clock.instant() : null;
			this.awaitsUser = next.run().filter((run) -> run.sent() > 0).isPresent();
			lines.add(StatusLine.takesUsers(instance, next.run(), window, others));
		}
		Optional<RunRecord> ended = endedRun(next);
		if (ended.isPresent() && !ended.map(RunRecord::id).equals(endedRun(before).map(RunRecord::id))) {
			this.awaitsUser |= before != null && before.gate() == GatePosition.OPEN && ended.get().sent() > 0
					&& ended.get().trigger() == Trigger.IDLE;
			lines.add(StatusLine.ended(instance, ended.get()));
		}
		if (next.leaving() && (before == null || !before.leaving())) {
			lines.add(StatusLine.left(instance));
		}
		if (!runId(next).equals(runId(before))) {
			this.routes.clear();
		}
		boolean changed = before == null || wasUnreachable || !lines.isEmpty() || before.phase() != next.phase()
				|| before.takesUsers() != next.takesUsers();
		return changed ? lines : null;
	}

	private static Optional<RunRecord> endedRun(@Nullable InstanceState state) {
		return Optional.ofNullable(state).flatMap(InstanceState::run).filter((run) -> run.verdict().isPresent());
	}

	/** Whether its state has the hash of that token. */
	boolean knows(Token token) {
		InstanceState known = this.state;
		return known != null && known.tokenHash().filter(token.hash()::equals).isPresent();
	}

	/** Whether this is the first request over that route in its present run. */
	boolean isFirstOf(String route) {
		return this.routes.add(route);
	}

	/** The id of its last run, or an empty one. */
	String runId() {
		return runId(this.state);
	}

	private static String runId(@Nullable InstanceState state) {
		return Optional.ofNullable(state).flatMap(InstanceState::run).map(RunRecord::id).orElse("");
	}

	/** What users may expect of it. */
	synchronized Fit fit(Duration window) {
		InstanceState known = this.state;
		// Spring Boot refuses traffic then, too
		boolean leaving = known != null && known.leaving();
		if (this.registered.status() == Registered.Status.REFUSED
				|| (known == null && this.registered.status() == Registered.Status.ANNOUNCED)
				|| (known != null && (known.gate() == GatePosition.CLOSED || (!known.accepting() && !leaving)))) {
			return Fit.CLOSED;
		}
		if (this.unreachable) {
			return Fit.UNREACHABLE;
		}
		if (leaving) {
			return Fit.LEAVING;
		}
		if (!this.answered && this.failures < (this.registered.hasLibrary() ? FAILED_LOOKS : 1)) {
			return Fit.UNKNOWN;
		}
		return (weight(window) < 1) ? Fit.GROWING : Fit.FULL;
	}

	/** Its weight among users by its age, as Envoy's slow start has it. */
	synchronized double weight(Duration window) {
		if (this.opened == null || window.isZero()) {
			return 1;
		}
		double age = (double) Duration.between(this.opened, this.clock.instant()).toMillis() / window.toMillis();
		return Math.min(1, FIRST_SHARE + (1 - FIRST_SHARE) * Math.max(0, age));
	}

	/** Whether its next user is the first after a run. */
	boolean awaitsUser() {
		return this.awaitsUser;
	}

	/** The line for its first user after a run, if this is the first. */
	synchronized Optional<String> userAnswered(Duration latency) {
		if (!this.awaitsUser) {
			return Optional.empty();
		}
		this.awaitsUser = false;
		return Optional.of(StatusLine.firstUserRequest(instance(), latency,
				state().flatMap(InstanceState::run).flatMap(RunRecord::p50)));
	}

	synchronized Optional<Fleet.Entry> entry(double share) {
		return state().map((known) -> new Fleet.Entry(instance().service(), instance().instanceId(), known.phase(),
				known.gate(), share, this.since, known.run()));
	}

	/** What users may expect of an instance, the best first. */
	enum Fit {

		/** A full member, one without the library, or one that answers no look at all. */
		FULL,

		/** Its share of users grows. */
		GROWING,

		/** It has not answered a look yet: users go there after a look. */
		UNKNOWN,

		/** It is about to stop: for users who have nobody else. */
		LEAVING,

		/** The last connection to it failed: users go there once a look does not. */
		UNREACHABLE,

		/**
		 * Its gate is closed, it or the registry refuses users, or it has announced
		 * itself and no state was read there: for nobody.
		 */
		CLOSED;

		/** Whether users go elsewhere if they can. */
		boolean isAvoided() {
			return compareTo(LEAVING) >= 0;
		}

	}

}
