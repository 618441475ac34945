package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.gateway.Member.Fit;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.RunRecord;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnEndpoints;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import dev.warmup.service.WantedRuns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Has this gateway warmed by the services behind it: when the application is ready, and
 * whenever no user has come for a while. Asks an instance of each service that has not
 * run through here yet for a run, every two seconds. When every service has, or after
 * three budgets, it warms its own endpoints, and then the gate opens. Its loop also has
 * the looks go round, each second.
 */
class GatewayWarmup implements WantedRuns, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmup.class);

	private static final Duration TICK = Duration.ofSeconds(1);

	/** An instance that is busy, or has just ended a run, is not asked again at once. */
	private static final int TICKS_BETWEEN_ASKS = 2;

	private static final int MAX_INSTANCES = 3;

	private final Fleet fleet;

	private final Looks looks;

	private final Gate gate;

	private final OwnState own;

	private final UserActivity users;

	private final OwnEndpoints endpoints;

	private final Duration longest;

	private final Supplier<Duration> idleAfter;

	private final Clock clock;

	private final Disposable.Swap running = Disposables.swap();

	private final Disposable.Swap endpointsRun = Disposables.swap();

	private boolean servicesWarmed;

	private volatile boolean endpointsWarmed;

	private volatile Set<String> wants = Set.of();

	/** Services with nothing to send. */
	private final Set<String> nothing = ConcurrentHashMap.newKeySet();

	/** The runs through here that were under way since it began to be warmed. */
	private final Set<String> runs = new HashSet<>();

	/** When it began to be warmed, or was warm, the last time. */
	private Instant since = Instant.MIN;

	private boolean warm;

	/** How long it stays warm without a user; zero before it is warm, or for ever. */
	private Duration idle = Duration.ZERO;

	/**
	 * Creates the warm-up, which begins when the application is ready.
	 * @param longest how long it waits for services at most
	 * @param idleAfter the next time without a user after which it begins again; zero for
	 * never
	 */
	GatewayWarmup(Fleet fleet, Looks looks, Gate gate, OwnState own, UserActivity users, OwnEndpoints endpoints,
			Duration longest, Supplier<Duration> idleAfter, Clock clock) {
		this.fleet = fleet;
		this.looks = looks;
		this.gate = gate;
		this.own = own;
		this.users = users;
		this.endpoints = endpoints;
		this.longest = longest;
		this.idleAfter = idleAfter;
		this.clock = clock;
	}

	@Override
	public Set<String> services() {
		return this.wants;
	}

	/** Starts with the application, where its gate may block as it opens. */
	@EventListener(ApplicationReadyEvent.class)
	public void start() {
		this.running.update(Flux.interval(Duration.ZERO, TICK, Schedulers.boundedElastic())
			.onBackpressureDrop()
			.doFirst(() -> this.since = this.clock.instant())
			.subscribe(this::advance));
	}

	@Override
	public void destroy() {
		this.running.dispose();
		this.endpointsRun.dispose();
	}

	private void advance(long tick) {
		try {
			if (this.warm ? isIdle() : isWarmed(tick)) {
				this.warm = !this.warm;
				this.since = this.clock.instant();
			}
		}
		catch (RuntimeException ex) { // the next tick repairs it
			logger.warn("Could not find out who could warm this gateway", ex);
		}
		this.looks.lookAround(); // after the looks that ask, which it shares
	}

	private boolean isIdle() {
		Instant last = this.users.last().filter((user) -> user.isAfter(this.since)).orElse(this.since);
		if (this.idle.isZero() || this.clock.instant().isBefore(last.plus(this.idle))) {
			return false;
		}
		this.nothing.clear();
		this.runs.clear();
		return true;
	}

	/** Asks services that are missing, then warms its own endpoints, then opens. */
	private boolean isWarmed(long tick) {
		Map<String, List<Member>> services = servicesThatRun();
		services.keySet().removeAll(this.nothing);
		this.fleet.stream()
			.flatMap(this::run)
			.filter((run) -> run.verdict().isEmpty())
			.forEach((run) -> this.runs.add(run.id()));
		Map<String, List<Member>> missing = new TreeMap<>(services);
		missing.values()
			.removeIf((instances) -> instances.stream()
				.flatMap(this::run)
				.anyMatch((run) -> this.runs.contains(run.id()) && run.verdict().isPresent()));
		if (!this.servicesWarmed && (!this.clock.instant().isBefore(this.since.plus(this.longest))
				|| (missing.isEmpty() && this.fleet.isStarted()))) {
			warmEndpoints();
		}
		if (this.servicesWarmed) {
			boolean opens = this.endpointsWarmed;
			if (opens) {
				open(services.size(), missing.keySet());
			}
			return opens;
		}
		this.wants = Set.copyOf(missing.keySet());
		if (tick % TICKS_BETWEEN_ASKS == 1) {
			missing.forEach(this::ask);
		}
		return false;
	}

	/** Instances by service, of which one could run through this gateway. */
	private Map<String, List<Member>> servicesThatRun() {
		return this.fleet.stream()
			.filter((member) -> member.mayHaveLibrary() && member.fit(Duration.ZERO) != Fit.UNREACHABLE)
			.collect(Collectors.groupingBy((member) -> member.instance().service(), HashMap::new,
					Collectors.toCollection(ArrayList::new)));
	}

	private Stream<RunRecord> run(Member member) {
		return member.state()
			.flatMap(InstanceState::run)
			.filter((run) -> run.gateways().contains(this.own.instance().instanceId()))
			.stream();
	}

	/** Asks instances at random until one starts a run, or has nothing to send. */
	private void ask(String service, List<Member> instances) {
		if (instances.stream().flatMap(this::run).anyMatch((run) -> run.verdict().isEmpty())) {
			return;
		}
		Collections.shuffle(instances);
		Flux.fromIterable(instances)
			.take(MAX_INSTANCES)
			.concatMap((member) -> this.looks.look(member, true), 1)
			.flatMap((look) -> Mono.justOrEmpty(Optional.ofNullable(look.state()).flatMap(InstanceState::answer)))
			.filter((answer) -> answer != RunAnswer.BUSY)
			.next()
			.filter((answer) -> answer == RunAnswer.NOTHING)
			.subscribe((answer) -> this.nothing.add(service));
	}

	/** The first run counts; others may follow it beside users. */
	private void warmEndpoints() {
		this.servicesWarmed = true;
		this.endpointsWarmed = false;
		this.wants = Set.of();
		this.own.warmed();
		this.endpointsRun.update(this.endpoints.warm(!this.idle.isZero())
			.doOnNext((run) -> this.endpointsWarmed = true)
			.doOnTerminate(() -> this.endpointsWarmed = true)
			.subscribe((run) -> {
			}, (error) -> logger.warn("The gateway's own endpoints could not be warmed", error)));
	}

	private void open(int services, Set<String> missing) {
		String figures = (services == 0) ? "no service has anything to send"
				: String.format(Locale.ROOT, "warmed by %d of %d services in %.1f s%s", services - missing.size(),
						services, Duration.between(this.since, this.clock.instant()).toMillis() / 1e3,
						missing.isEmpty() ? "" : "; not by " + String.join(", ", missing));
		String occasion = this.idle.isZero() ? "READY" : "IDLE re-warm";
		this.idle = this.idleAfter.get();
		this.servicesWarmed = false;
		this.gate.open();
		this.fleet.log("%s %s: %s".formatted(this.own.instance(), occasion, figures));
	}

}
