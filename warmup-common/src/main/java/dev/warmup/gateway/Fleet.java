package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.gateway.Member.Fit;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.registry.Registered;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.ServiceInstance;

/**
 * All that this gateway knows of instances: each that the registry has or had lately,
 * until the registry no longer lists it and looks at it fail. An instance that moves is
 * another member; one that restarts at its address is not. Writes the status log, and
 * publishes {@link Changed} and {@link FirstUserRequest}, on a thread of its own.
 * Thread-safe.
 */
public final class Fleet {

	private static final Logger logger = LoggerFactory.getLogger(StatusLine.LOGGER);

	private static final int JOURNAL_LINES = 100;

	private final Clock clock;

	private final Duration window;

	private final DoubleSupplier random;

	private final Executor log;

	private final Consumer<Object> events;

	/** By instance id. */
	private final Map<String, Member> members = new ConcurrentHashMap<>();

	private Map<String, Registered> copy = Map.of();

	private final Deque<Line> journal = new ConcurrentLinkedDeque<>();

	private final LongAdder accepted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/** Whether the registry's copy was taken once: who comes later is new. */
	private volatile boolean started;

	/**
	 * Creates an empty fleet.
	 * @param clock what ages are measured by
	 * @param window over which the share of an instance grows that opens its gate; zero
	 * for at once
	 * @param random supplies values from 0 up to 1
	 * @param log runs what writes the log and publishes events, one after the other
	 * @param events publishes an event
	 */
	Fleet(Clock clock, Duration window, DoubleSupplier random, Executor log, Consumer<Object> events) {
		this.clock = clock;
		this.window = window;
		this.random = random;
		this.log = log;
		this.events = events;
	}

	/** Every instance with the library, in order of service and name. */
	public List<Entry> entries() {
		return this.members.values()
			.stream()
			.flatMap((member) -> member.entry(share(member)).stream())
			.sorted(Comparator.comparing(Entry::service).thenComparing(Entry::instanceId))
			.toList();
	}

	/**
	 * The last lines of the status log, {@value #JOURNAL_LINES} at most, newest first.
	 */
	public List<Line> journal() {
		return List.copyOf(this.journal);
	}

	/** The share of an instance as of now; 0 for one that is gone. */
	public double shareOf(String instanceId) {
		return find(instanceId).map(this::share).orElse(0.0);
	}

	private double share(Member member) {
		Fit fit = member.fit(this.window);
		return fit.isAvoided() ? 0 : (fit == Fit.GROWING && hasFullMember(member)) ? member.weight(this.window) : 1;
	}

	/** How many requests carried the warm-up header, with a known token or without. */
	public long claims(boolean verified) {
		return (verified ? this.accepted : this.rejected).sum();
	}

	void claimed(boolean verified) {
		(verified ? this.accepted : this.rejected).increment();
	}

	Optional<Member> find(@Nullable String instanceId) {
		return (instanceId != null) ? Optional.ofNullable(this.members.get(instanceId)) : Optional.empty();
	}

	Stream<Member> stream() {
		return this.members.values().stream();
	}

	/** The members of a service, whose name may be in any case. */
	Stream<Member> of(String service) {
		return stream().filter((member) -> member.instance().service().equalsIgnoreCase(service));
	}

	/**
	 * Takes what the registry itself says of an instance, which counts until its copy
	 * changes; returns the member, which is known from now on.
	 */
	Member member(Registered registered) {
		Member member = this.members.compute(registered.instance().instanceId(),
				(id, known) -> (known != null && known.registered().isAt(registered)) ? known
						: new Member(registered, known == null && !this.started, this.clock));
		publishIf(member.registered(registered), member);
		return member;
	}

	/**
	 * Takes the registry's copy as of now, and forgets who is gone. What the first copy
	 * lists was there before this gateway.
	 * @param read whether the copy was read from the registry at all
	 */
	synchronized void update(List<Registered> listed, boolean read) {
		Map<String, Registered> before = this.copy;
		this.copy = listed.stream()
			.collect(
					Collectors.toMap((each) -> each.instance().instanceId(), Function.identity(), (one, same) -> same));
		this.copy.forEach((id, each) -> {
			Registered same = before.get(id);
			if (same == null || same.status() != each.status() || !same.isAt(each)) {
				member(each);
			}
		});
		this.started |= read;
		this.members.forEach((id, member) -> {
			if (!this.copy.containsKey(id) && member.isGone() && this.members.remove(id, member)) {
				Optional<InstanceState> stayed = member.state().filter((last) -> !last.leaving());
				publish(stayed.map((last) -> List.of(StatusLine.left(member.instance()))).orElse(List.of()),
						new Changed(member.instance()));
			}
		});
	}

	/** Whether the registry's copy was taken once. */
	boolean isStarted() {
		return this.started;
	}

	/** A look at a member found a state. */
	void found(Member member, InstanceState state) {
		int others = (int) of(member.instance().service()).filter((other) -> isFullBeside(other, member)).count();
		List<String> lines = member.found(state, others, this.window);
		if (lines != null) {
			publish(lines, new Changed(member.instance()));
		}
	}

	/** A look at a member found an application without the library. */
	void foundPlain(Member member) {
		publishIf(member.foundPlain(), member);
	}

	/** A look at a member failed; {@code absent} where it is certainly not there. */
	void failed(Member member, boolean absent) {
		publishIf(member.failed(absent), member);
	}

	/** No connection to an instance could be made for a request. */
	void refused(ServiceInstance instance) {
		find(instance.getInstanceId())
			.filter((member) -> member.registered().address().getUri().equals(instance.getUri()))
			.ifPresent((member) -> failed(member, true));
	}

	/** What users may expect of an instance. */
	Fit fit(ServiceInstance instance) {
		return find(instance.getInstanceId()).map((member) -> member.fit(this.window)).orElse(Fit.UNKNOWN);
	}

	/** Whether users should rather go to another instance of the service. */
	boolean hasBetter(ServiceInstance instance) {
		Fit fit = fit(instance);
		return fit.isAvoided() && find(instance.getInstanceId()).stream()
			.flatMap((member) -> of(member.instance().service()))
			.anyMatch((other) -> other.fit(this.window).compareTo(fit) < 0);
	}

	/** Whether an instance has the library, so that looks say when it is back. */
	boolean hasLibrary(ServiceInstance instance) {
		return find(instance.getInstanceId()).filter(Member::mayHaveLibrary).isPresent();
	}

	/** Whether the next user may go to an instance: as often as its share has it. */
	boolean isDue(ServiceInstance instance) {
		return find(instance.getInstanceId()).filter((member) -> this.random.getAsDouble() >= share(member)).isEmpty();
	}

	private boolean hasFullMember(Member beside) {
		return of(beside.instance().service()).anyMatch((other) -> isFullBeside(other, beside));
	}

	private boolean isFullBeside(Member other, Member member) {
		return other != member && other.fit(this.window) == Fit.FULL
				&& other.registered().zone().equalsIgnoreCase(member.registered().zone());
	}

	/**
	 * Corrects the list that the registry's copy has of a service: adds those whose gate
	 * is open ahead of the copy, where it lists others, takes the address of those that
	 * have moved, and leaves out those that users should not be sent to where there are
	 * better ones.
	 */
	List<ServiceInstance> routable(String service, List<ServiceInstance> listed) {
		if (listed.isEmpty()) {
			return listed;
		}
		Set<@Nullable String> ids = listed.stream().map(ServiceInstance::getInstanceId).collect(Collectors.toSet());
		Stream<ServiceInstance> ahead = of(service)
			.filter((member) -> !ids.contains(member.instance().instanceId()) && member.state().isPresent()
					&& !member.fit(this.window).isAvoided())
			.map((member) -> member.registered().address());
		Map<Fit, List<ServiceInstance>> tiers = Stream.concat(listed.stream().map(this::moved), ahead)
			.collect(Collectors.groupingBy(this::tier, TreeMap::new, Collectors.toUnmodifiableList()));
		return tiers.values().iterator().next();
	}

	private ServiceInstance moved(ServiceInstance listed) {
		return find(listed.getInstanceId()).map((member) -> member.registered().address())
			.filter((address) -> !address.getUri().equals(listed.getUri()))
			.orElse(listed);
	}

	private Fit tier(ServiceInstance instance) {
		Fit fit = fit(instance);
		return fit.isAvoided() ? fit : Fit.FULL;
	}

	/** A user was answered by an instance. */
	void userAnswered(ServiceInstance instance, Duration latency) {
		find(instance.getInstanceId()).ifPresent((member) -> member.userAnswered(latency)
			.ifPresent((line) -> publish(List.of(line), new FirstUserRequest(member.instance(), latency))));
	}

	private void publishIf(boolean changed, Member member) {
		if (changed) {
			publish(List.of(), new Changed(member.instance()));
		}
	}

	private void publish(List<String> lines, Object event) {
		lines.forEach(this::log);
		this.log.execute(() -> this.events.accept(event));
	}

	/** Writes a line to the status log, and keeps it for a while. */
	void log(String text) {
		Line line = new Line(this.clock.instant(), text);
		this.log.execute(() -> {
			logger.info("{}", text);
			this.journal.addFirst(line);
			if (this.journal.size() > JOURNAL_LINES) {
				this.journal.removeLast();
			}
		});
	}

	/**
	 * Application event of a gateway: what it knows of an instance has changed, or the
	 * instance is gone. {@link Fleet#entries()} has the present state.
	 */
	public record Changed(Instance instance) {

	}

	/**
	 * Application event of a gateway: an instance has answered its first user after a
	 * run.
	 *
	 * @param instance the instance
	 * @param latency from the choice of the instance until the response was committed
	 */
	public record FirstUserRequest(Instance instance, Duration latency) {

	}

	/** A line of the status log, and when it was written. */
	public record Line(Instant at, String text) {

	}

	/**
	 * An instance with the library, as this gateway last read its state.
	 *
	 * @param service the name of its service, in lower case
	 * @param instanceId its name in discovery
	 * @param phase how warm it is
	 * @param gate whether its gate is open
	 * @param share its share of users relative to a full member's, from 0 to 1
	 * @param since when this gateway saw that phase begin
	 * @param run its run under way, otherwise its last one, without the requests
	 */
	public record Entry(String service, String instanceId, Phase phase, GatePosition gate, double share, Instant since,
			Optional<RunRecord> run) {

	}

}
