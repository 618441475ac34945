package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances that were warmed through this gateway, at most 1000: beyond that the one
 * not heard of for longest is forgotten. Logs each change. Thread-safe.
 */
public final class Fleet {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private static final int MAX_MEMBERS = 1000;

	private static final int RUNS_KEPT = 20;

	private final Clock clock;

	private final Map<String, Member> members = new ConcurrentHashMap<>();

	private final List<RunRecord> runs = new ArrayList<>();

	private Phase phase = Phase.COLD;

	private Instant since;

	/**
	 * Creates an empty fleet.
	 * @param clock the source of time
	 */
	public Fleet(Clock clock) {
		this.clock = clock;
		this.since = clock.instant();
	}

	/**
	 * Every instance known.
	 * @return the instances by service and name
	 */
	public List<FleetEntry> entries() {
		return this.members.values()
			.stream()
			.map(Member::entry)
			.sorted(Comparator.comparing(FleetEntry::service).thenComparing(FleetEntry::instanceId))
			.toList();
	}

	/**
	 * The last runs that went through this gateway.
	 * @return at most 20, the newest first
	 */
	public synchronized List<RunRecord> runs() {
		return List.copyOf(this.runs);
	}

	/**
	 * How warm the ways through this gateway are.
	 * @return the phase that was reported last, {@link Phase#COLD} before
	 */
	public synchronized Phase phase() {
		return this.phase;
	}

	/**
	 * When that phase began.
	 * @return the time of the report that changed it
	 */
	public synchronized Instant since() {
		return this.since;
	}

	/**
	 * How warm the ways to a service are.
	 * @param service its name in discovery, in any case
	 * @return what is known of its instances, together
	 */
	public ServiceSummary standing(String service) {
		List<Member> of = this.members.values()
			.stream()
			.filter((member) -> member.instance().service().equalsIgnoreCase(service))
			.toList();
		return new ServiceSummary(
				of.stream().map(Member::lastRun).flatMap(Optional::stream).map(RunRecord::verdict).toList(),
				of.stream().map(Member::heardOf).max(Comparator.naturalOrder()),
				of.stream().anyMatch(Member::isUnderWay));
	}

	/**
	 * Finds a run that was reported.
	 * @param id its id
	 * @return the run, or empty when it is not the last of any instance
	 */
	public Optional<RunRecord> run(String id) {
		return this.members.values()
			.stream()
			.map(Member::lastRun)
			.flatMap(Optional::stream)
			.filter((run) -> run.id().equals(id))
			.findFirst();
	}

	/**
	 * Takes in how a run ended.
	 * @param report what the instance says
	 * @return what was seen here of the run by route; empty when it was reported before
	 */
	public List<FleetEntry.RouteEntry> reported(RunReport report) {
		Instance instance = new Instance(report.service(), report.instanceId());
		List<FleetEntry.RouteEntry> routes = member(instance).reported(instance, report.phase(), report.run());
		keep(report);
		String line = StatusLine.of(instance, report.run());
		if (report.run().verdict() == Verdict.FAILED) {
			logger.warn("{}", line);
		}
		else {
			logger.info("{}", line);
		}
		return routes;
	}

	/**
	 * Takes in a warm-up request.
	 * @param instance the instance that is warmed; its service is that of the route
	 * @param run the run's id
	 * @param route the route's id
	 * @param latency how long it took until the answer began
	 * @param failed whether the answer was a server error or none
	 */
	public void warmupAnswered(Instance instance, String run, String route, Duration latency, boolean failed) {
		if (member(instance).warmupAnswered(run, route, latency, failed)) {
			logger.info("{}", StatusLine.warming(instance));
		}
	}

	/**
	 * Whether a user's request is among the first after a run. Cheap: it is asked for
	 * each request as long as the gateway runs.
	 * @param answered who answered
	 * @param route the route's id
	 * @return {@code true} if {@link #userAnswered} is to be told
	 */
	boolean awaitsUser(Instance answered, String route) {
		Optional<FirstUsers> first = firstUsers(answered);
		return first.isPresent() && first.get().isAwaited(route);
	}

	/**
	 * Takes in a user's request, and logs it when it is the first after a run.
	 * @param answered who answered
	 * @param route the route's id
	 * @param latency how long it took until the answer began
	 * @param listeners are told of a first one, and of the first 100 over the route
	 */
	public void userAnswered(Instance answered, String route, Duration latency, List<GatewayListener> listeners) {
		Optional<FirstUsers> first = firstUsers(answered);
		if (first.isPresent()) {
			first.get().answered(route, latency, listeners);
		}
	}

	/**
	 * Whether a run of another instance is under way.
	 * @param self the instance
	 * @return {@code true} if warm-up of another was here within seconds
	 */
	public boolean warmsAnother(Instance self) {
		return this.members.values()
			.stream()
			.anyMatch((member) -> !member.instance().equals(self) && member.isUnderWay());
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
		if (this.phase != report.phase()) {
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
				.min(Comparator.comparing(Member::heardOf))
				.map((oldest) -> oldest.instance().instanceId())
				.ifPresent(this.members::remove);
		}
		return member;
	}

}
