package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * The instances that are warmed through this gateway, until they leave or discovery has
 * not had them for long; at most 1000: beyond that, the one seen least recently is
 * dropped. Logs each change of phase. Thread-safe.
 */
public final class Fleet {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private static final int MAX_MEMBERS = 1000;

	private static final int RUNS_KEPT = 20;

	private final Clock clock;

	private final Executor log;

	private final Map<String, Member> members = new ConcurrentHashMap<>();

	private final List<RunRecord> runs = new ArrayList<>();

	private Phase phase = Phase.COLD;

	private Instant since;

	/**
	 * Creates an empty fleet. {@code log} writes the log and calls listeners, in order:
	 * no request waits for either.
	 */
	Fleet(Clock clock, Executor log) {
		this.clock = clock;
		this.log = log;
		this.since = clock.instant();
	}

	/** Every instance known, in order of service and name. */
	public List<Entry> entries() {
		return this.members.values()
			.stream()
			.map(Member::entry)
			.sorted(Comparator.comparing(Entry::service).thenComparing(Entry::instanceId))
			.toList();
	}

	/** The last runs that went through this gateway: at most 20, the newest first. */
	public synchronized List<RunRecord> runs() {
		return List.copyOf(this.runs);
	}

	/** The phase that was reported last; {@link Phase#COLD} before the first report. */
	public synchronized Phase phase() {
		return this.phase;
	}

	/** When that phase began: the time of the report that changed it. */
	public synchronized Instant since() {
		return this.since;
	}

	/** The instances of a service, whose name may be in any case. */
	Stream<Member> members(String service) {
		return this.members.values().stream().filter((member) -> member.instance().service().equalsIgnoreCase(service));
	}

	/**
	 * Finds a run that is the last of any instance, or among the last that were reported:
	 * its instance may have left since.
	 */
	Optional<RunRecord> run(String id) {
		return Stream
			.concat(this.members.values().stream().flatMap((member) -> member.lastRun().stream()), runs().stream())
			.filter((run) -> run.id().equals(id))
			.findFirst();
	}

	/**
	 * Records that an instance may be warmed from now on. One that has another key than
	 * before was restarted: what its predecessor reported is not true of it.
	 */
	void registered(ServiceInstance claimant) {
		forgetPredecessor(claimant);
		Instance instance = new Instance(claimant.getServiceId().toLowerCase(Locale.ROOT),
				Objects.requireNonNull(claimant.getInstanceId()));
		member(instance).isOf(InstanceAddress.key(claimant));
	}

	/** Forgets what was reported under another key. */
	void forgetPredecessor(ServiceInstance claimant) {
		this.members.computeIfPresent(Objects.requireNonNull(claimant.getInstanceId()),
				(id, known) -> known.isOf(InstanceAddress.key(claimant)) ? known : null);
	}

	/** Forgets an instance that takes no users any more. */
	void left(String instanceId) {
		this.members.remove(instanceId);
	}

	/**
	 * Forgets instances that discovery has not had for five minutes, such as one that was
	 * killed. Fails when a look-up does, which proves nothing.
	 */
	Mono<Void> removeMissing(Function<String, Mono<Boolean>> isRegistered) {
		return Flux.fromIterable(this.members.entrySet())
			.filterWhen((member) -> isRegistered.apply(member.getKey()).map(member.getValue()::isMissing))
			.doOnNext((member) -> this.members.remove(member.getKey(), member.getValue()))
			.then();
	}

	/**
	 * Records the end of a run, and logs it; once, since a report is sent again where the
	 * gate has opened in the meantime.
	 * @return whether the run was not reported before
	 */
	public boolean reported(RunReport report) {
		Instance instance = new Instance(report.service(), report.instanceId());
		if (!member(instance).reported(instance, report.phase(), report.run())) {
			return false;
		}
		keep(report);
		String line = StatusLine.of(instance, report.run());
		boolean failed = report.run().verdict() == Verdict.FAILED;
		this.log.execute(() -> logger.atLevel(failed ? Level.WARN : Level.INFO).log("{}", line));
		return true;
	}

	/**
	 * Records that an instance takes users while its run goes on, and logs it; the report
	 * is of the run so far.
	 */
	void ramping(RunReport report) {
		Instance instance = new Instance(report.service(), report.instanceId());
		Member member = this.members.get(instance.instanceId());
		if (member != null && member.ramping(instance)) {
			String line = StatusLine.ramping(instance, report.run(), steadyP50(instance));
			this.log.execute(() -> logger.info("{}", line));
		}
	}

	/** The median of what the last runs of others of the service measured as steady. */
	private Optional<Duration> steadyP50(Instance except) {
		List<Duration> others = members(except.service())
			.filter((member) -> !member.instance().instanceId().equals(except.instanceId()))
			.flatMap((member) -> member.lastRun().flatMap(RunRecord::steadyP50).stream())
			.sorted()
			.toList();
		return others.isEmpty() ? Optional.empty() : Optional.of(others.get(others.size() / 2));
	}

	/**
	 * Records a warm-up request.
	 * @param instance the instance that is warmed; its service is that of the route
	 * @param run the run's id
	 * @param route the route's id
	 * @param latency how long it took until the response was committed
	 * @param failed whether the response was a server error or missing
	 */
	public void warmupAnswered(Instance instance, String run, String route, Duration latency, boolean failed) {
		if (member(instance).warmupAnswered(run, route, latency, failed)) {
			this.log.execute(() -> logger.info("{}", StatusLine.warming(instance)));
		}
	}

	/** Whether a user's request to an instance over a route is still to be recorded. */
	boolean awaitsUser(Instance answered, String route) {
		Optional<FirstUsers> first = firstUsers(answered);
		return first.isPresent() && first.get().isAwaited(route);
	}

	/**
	 * Records a user's request, and logs the first one after a run, and the first 100
	 * over the route.
	 * @param answered the instance that answered
	 * @param route the route's id
	 * @param latency how long it took until the response was committed
	 * @param listeners are notified of the first request over the route
	 */
	public void userAnswered(Instance answered, String route, Duration latency, Listeners<GatewayListener> listeners) {
		firstUsers(answered).ifPresent((first) -> first.add(route, latency, listeners, this.log));
	}

	private Optional<FirstUsers> firstUsers(Instance answered) {
		Member member = this.members.get(answered.instanceId());
		return (member != null) ? member.firstUsers() : Optional.empty();
	}

	private synchronized void keep(RunReport report) {
		this.runs.add(0, report.run());
		if (this.runs.size() > RUNS_KEPT) {
			this.runs.remove(RUNS_KEPT);
		}
		if (report.run().verdict() != Verdict.SKIPPED && this.phase != report.phase()) {
			this.phase = report.phase();
			this.since = this.clock.instant();
		}
	}

	private Member member(Instance instance) {
		Member member = this.members.computeIfAbsent(instance.instanceId(), (id) -> new Member(instance, this.clock));
		if (this.members.size() > MAX_MEMBERS) {
			this.members.values()
				.stream()
				.filter((other) -> other != member)
				.min(Comparator.comparing(Member::lastSeen))
				.map((oldest) -> oldest.instance().instanceId())
				.ifPresent(this.members::remove);
		}
		return member;
	}

	/**
	 * An instance as the gateway sees it.
	 *
	 * @param service its {@code spring.application.name}
	 * @param instanceId its name in discovery
	 * @param phase how warm it is
	 * @param since when that phase began
	 * @param lastRun its last run through this gateway
	 * @param firstUserRequest how long the first user request after that run took until
	 * its response was committed here
	 * @param firstUsers the first 100 user requests after that run over each route
	 */
	public record Entry(String service, String instanceId, Phase phase, Instant since, Optional<RunRecord> lastRun,
			Optional<Duration> firstUserRequest, List<FirstUsersEntry> firstUsers) {

		public Entry {
			firstUsers = List.copyOf(firstUsers);
		}

		/**
		 * The first user requests after a run over a route, timed at the gateway until
		 * their responses were committed; without streams and server errors.
		 *
		 * @param route the route's id
		 * @param requests how many were counted, at most 100
		 * @param p50 their median, to within 1 %
		 * @param p99 their 99th percentile, to within 1 %
		 * @param steadyP50 the median of the run's last 50 to 100 requests over the
		 * route; of the whole run, as the instance timed it, where none took the route
		 * @param ratio {@code p50} by {@code steadyP50}
		 */
		public record FirstUsersEntry(String route, int requests, Duration p50, Duration p99, Duration steadyP50,
				double ratio) {

		}

	}

}
