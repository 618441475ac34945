package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.warmup.Catalogs;
import dev.warmup.Claims;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.LenientCriteria;
import dev.warmup.MutableClock;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests of runs inherit: virtual time on every scheduler, a runner whose
 * surroundings a test may replace before it runs, and notes of what happened.
 */
abstract class RunFixture {

	static final WarmupKey KEY = Claims.key("host:1");

	static final WarmupClaim CLAIM = new WarmupClaim("host:1", Optional.of("a.token.of-tests"), "r-1");

	/** For what happens in real time. */
	static final Duration TIMEOUT = Duration.ofSeconds(30);

	static final Instance SELF = new Instance("chat-service", "host:1");

	static final Gateway GATEWAY = gateways(2).get(0);

	static final Gateway OTHER_GATEWAY = gateways(2).get(1);

	static final Catalog CATALOG = Catalogs.ofScenarios("{ name: first, requests: [GET /first] }",
			"{ name: second, requests: [GET /second/1, GET /second/2] }");

	final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	final MutableClock clock = new MutableClock();

	Timing timing = new Timing(this.clock, this.time, () -> this.time.now(TimeUnit.NANOSECONDS));

	Instance.Source instance = () -> SELF;

	CatalogSource catalogs = () -> CATALOG;

	Mono<List<Gateway>> gateways = Mono.just(List.of(GATEWAY));

	GatewayLocator locator = locator(() -> this.gateways);

	List<WarmupTask> tasks = List.of();

	Duration budget = Duration.ofMinutes(1);

	int repetitions = 1;

	int concurrency = 1;

	/** Where it is less, as many as {@link #repetitions}. */
	int maxRepetitions;

	RunSettings.SteadyCriteria criteria = LenientCriteria.AT_ONCE;

	Duration openAfter = Duration.ofSeconds(10);

	/** The trigger of the run at the start. */
	Trigger startupTrigger = Trigger.STARTUP;

	/** Whether the JVM started from a cache. */
	boolean cached;

	/** No ramp by default. */
	Duration rampWindow = Duration.ZERO;

	/** How many other instances take users. */
	long siblings;

	final UserActivity users = new UserActivity(this.clock);

	/** Whether the instance accepts users. */
	Mono<Boolean> readiness = Mono.just(true);

	/**
	 * What happened, in order, such as {@code open at 1.5 s}, {@code phase RAMPING} and
	 * {@code report RAMPING OPEN gw-1}.
	 */
	final List<String> history = new ArrayList<>();

	Gate gate = gate(Gate.Position.OPEN);

	/** The result of a scenario; by default all is answered as expected. */
	BiFunction<Scenario, Session, Flux<Outcome>> script = (scenario, session) -> answered(scenario);

	/** The result of a registration check; by default it is accepted. */
	Function<Gateway, Mono<Void>> check = (gateway) -> Mono.empty();

	/** The result of a report; by default the gateway accepts it. */
	Function<Gateway, Mono<Boolean>> accepted = (gateway) -> Mono.just(true);

	/** The result of a report dry run; by default the gateway reads it. */
	Mono<Void> dryRun = Mono.empty();

	/** The result of a deregistration; by default the gateway confirms it. */
	Function<Gateway, Mono<Boolean>> confirmed = (gateway) -> Mono.just(true);

	/** The claims by which the instance deregistered. */
	final List<WarmupClaim> deregistrations = new ArrayList<>();

	/** The names of the scenarios, in the order of their start, and when that was. */
	final List<String> replayed = new ArrayList<>();

	final List<Duration> startedAt = new ArrayList<>();

	final List<String> checks = new ArrayList<>();

	final List<RunReport> reports = new ArrayList<>();

	final List<RunReport> dryRuns = new ArrayList<>();

	/** How many scenarios were replayed side by side at most. */
	int most;

	/** When the last report was sent. */
	Duration endedAt = Duration.ZERO;

	final Notes notes = new Notes();

	final WarmupState state = new WarmupState(this.clock, List.of(this.notes));

	@BeforeEach
	void enterVirtualTime() {
		VirtualTimeScheduler.set(this.time);
	}

	@AfterEach
	void leaveVirtualTime() {
		VirtualTimeScheduler.reset();
	}

	/** Gateways {@code gw-1}, {@code gw-2}, and so on. */
	static List<Gateway> gateways(int count) {
		return IntStream.rangeClosed(1, count)
			.mapToObj((i) -> new Gateway("gw-" + i, URI.create("http://gw-" + i + ".invalid")))
			.toList();
	}

	/** Lets a gateway not know the instance for so long. */
	void unroutable(Gateway unroutable, Duration until) {
		this.check = (gateway) -> (gateway.equals(unroutable) && nanoTime() < until.toNanos())
				? Mono.error(new Retries.NoRouteException("not registered yet")) : Mono.empty();
	}

	/** Lets only the first scenario be answered other than expected. */
	void firstFails() {
		this.script = (scenario, session) -> scenario.name().equals("first") ? unexpected(scenario, 500, true)
				: answeredAfter(scenario, Duration.ofMillis(100));
	}

	/** What happened of one kind: {@code open}, {@code phase}, or {@code report}. */
	List<String> history(String kind) {
		return this.history.stream().filter((event) -> event.startsWith(kind)).toList();
	}

	static GatewayLocator locator(Supplier<Mono<List<Gateway>>> found) {
		return new GatewayLocator() {

			@Override
			public Mono<List<Gateway>> locate() {
				return found.get();
			}

			@Override
			public String description() {
				return "gateway of the test";
			}

		};
	}

	WarmupRunner runner(RunListener... listeners) {
		List<RunListener> all = new ArrayList<>(List.of(listeners));
		all.add(this.notes);
		GatewayRun.Shared shared = new GatewayRun.Shared(new ScriptedClient(), new ScriptedReplayer(),
				new Listeners<>(all), this.state,
				new RunSettings(this.budget, this.repetitions, Math.max(this.repetitions, this.maxRepetitions),
						this.concurrency, 1, 1, this.criteria, this.startupTrigger, Duration.ofMinutes(2),
						this.openAfter, this.cached, this.rampWindow),
				this.timing);
		return new WarmupRunner(() -> this.instance.get(), () -> this.catalogs.current(), this.locator,
				new WarmupTasks(() -> this.tasks, this.timing), shared, this.gate, () -> this.readiness, this.users);
	}

	/** A closed gate, with where a failure puts it. */
	Gate gate(Gate.Position onFailure) {
		return new Gate(true, onFailure, () -> this.history.add("open at %s s".formatted(nanoTime() / 1e9)));
	}

	/** Executes a run to its end. */
	List<RunRecord> run(WarmupRunner runner, Trigger trigger) {
		return await(runner.run(trigger));
	}

	/** Executes a run through the only gateway to its end. */
	RunRecord run() {
		List<RunRecord> runs = run(runner(), Trigger.STARTUP);
		assertThat(runs).hasSize(1);
		return runs.get(0);
	}

	/** Waits two minutes of virtual time for a value. */
	<T> T await(Mono<T> result) {
		CompletableFuture<T> future = result.toFuture();
		this.time.advanceTimeBy(Duration.ofMinutes(2));
		assertThat(future).isDone();
		return future.join();
	}

	void pass(Duration duration) {
		this.time.advanceTimeBy(duration);
	}

	long nanoTime() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	Budget budget(Duration duration) {
		return Budget.start(duration, this::nanoTime);
	}

	static Plan plan(Catalog catalog, int repetitions) {
		return Plan.of(catalog, "chat-service", Trigger.STARTUP, repetitions);
	}

	/** Sends at once, with the same claim each time. */
	static Session session(Catalog catalog, String gateway, Budget budget) {
		return new Session(catalog, URI.create(gateway), () -> CLAIM, SELF.service(), budget, Mono.empty());
	}

	/** Answers each request of a scenario as expected, at once. */
	static Flux<Outcome> answered(Scenario scenario) {
		return Flux.fromIterable(scenario.requests())
			.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(5)));
	}

	Flux<Outcome> answeredAfter(Scenario scenario, Duration delay) {
		return answered(scenario).delaySubscription(delay, this.time);
	}

	static Flux<Outcome> unexpected(Scenario scenario, int status, boolean byService) {
		return Flux.fromIterable(scenario.requests())
			.map((request) -> new Outcome.Unexpected(scenario, request, Duration.ofMillis(5), status,
					status + " (expected 2xx)", byService));
	}

	static Flux<Outcome> failed(Scenario scenario, String problem) {
		return Flux.fromIterable(scenario.requests()).map((request) -> new Outcome.Failed(scenario, request, problem));
	}

	/** An answer of the instance that claims. */
	static ResponseDefinitionBuilder proved(ResponseDefinitionBuilder answer) {
		return answer.withHeader(WarmupClaim.INSTANCE_HEADER, SELF.instanceId());
	}

	/** Notes the calls of a listener. */
	final class Notes implements RunListener {

		final List<Outcome> outcomes = new ArrayList<>();

		final List<RunRecord> runs = new ArrayList<>();

		@Override
		public void onOutcome(Outcome outcome) {
			this.outcomes.add(outcome);
		}

		@Override
		public void onRun(RunRecord run) {
			this.runs.add(run);
		}

		@Override
		public void onPhase(Phase phase) {
			RunFixture.this.history.add("phase " + phase);
		}

	}

	private final class ScriptedReplayer extends Replayer {

		private int active;

		ScriptedReplayer() {
			super(HttpClient.create(), RunFixture.this.time);
		}

		@Override
		public Flux<Outcome> replay(Scenario scenario, Session session) {
			return Flux.defer(() -> {
				RunFixture.this.replayed.add(scenario.name());
				RunFixture.this.startedAt.add(Duration.ofNanos(nanoTime()));
				this.active++;
				RunFixture.this.most = Math.max(RunFixture.this.most, this.active);
				return RunFixture.this.script.apply(scenario, session).doOnTerminate(() -> this.active--);
			});
		}

	}

	private final class ScriptedClient extends GatewayClient {

		ScriptedClient() {
			super(WebClient.create(), KEY, "gateway", RunFixture.this.clock);
		}

		@Override
		Mono<Void> checkRegistration(Gateway gateway, WarmupClaim claim) {
			return Mono.defer(() -> {
				RunFixture.this.checks.add(gateway.id() + " " + claim.instanceId());
				return RunFixture.this.check.apply(gateway);
			});
		}

		@Override
		Mono<Long> siblings(Gateway gateway, WarmupClaim claim) {
			return Mono.fromSupplier(() -> RunFixture.this.siblings);
		}

		@Override
		Mono<Boolean> deregister(Gateway gateway, WarmupClaim claim) {
			RunFixture.this.deregistrations.add(claim);
			return RunFixture.this.confirmed.apply(gateway);
		}

		@Override
		Mono<Boolean> report(Gateway gateway, RunReport report) {
			return Mono.defer(() -> {
				RunFixture.this.endedAt = Duration.ofNanos(nanoTime());
				RunFixture.this.reports.add(report);
				RunFixture.this.history.add("report %s %s %s".formatted(report.phase(), report.gate(), gateway.id()));
				return RunFixture.this.accepted.apply(gateway);
			});
		}

		@Override
		Mono<Void> reportDryRun(Gateway gateway, RunReport report) {
			return Mono.defer(() -> {
				RunFixture.this.dryRuns.add(report);
				return RunFixture.this.dryRun;
			});
		}

	}

}
