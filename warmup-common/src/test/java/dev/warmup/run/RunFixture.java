package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.warmup.Catalogs;
import dev.warmup.Claims;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.MutableClock;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.GatewayClient.RegistrationCheck;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.web.reactive.function.client.WebClient;

/** What tests of runs share: virtual time, two scenarios, and notes of what happened. */
final class RunFixture {

	static final WarmupKey KEY = Claims.key("host:1");

	static final Instance SELF = new Instance("chat-service", "host:1");

	static final Gateway GATEWAY = new Gateway("gw-1", URI.create("http://gw-1.invalid"));

	static final Gateway OTHER_GATEWAY = new Gateway("gw-2", URI.create("http://gw-2.invalid"));

	static final Catalog CATALOG = Catalogs.of("""
			version: 1
			scenarios:
			  - { name: first, requests: [GET /first] }
			  - { name: second, requests: [GET /second/1, GET /second/2] }
			""");

	static final Duration PATIENCE = Duration.ofSeconds(30);

	final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	final MutableClock clock = new MutableClock();

	final ScriptedReplayer replayer = new ScriptedReplayer();

	final List<RunReport> reports = new ArrayList<>();

	final List<Gateway> reportedTo = new ArrayList<>();

	private Duration concludedAt = Duration.ZERO;

	/** What becomes of a report; by default the gateway accepts it. */
	Function<Gateway, Mono<Void>> accepted = (gateway) -> Mono.empty();

	final List<RunReport> dryRuns = new ArrayList<>();

	/** What becomes of a report dry run; by default the gateway reads it. */
	Mono<Void> dryRun = Mono.empty();

	final Notes notes = new Notes();

	/** Whether the instance accepts users. */
	Mono<Boolean> readiness = Mono.just(true);

	final Gate gate = new Gate(true, GatePosition.OPEN, () -> {
	});

	final WarmupState state = new WarmupState(this.clock, List.of(this.notes));

	final List<String> checks = new ArrayList<>();

	/**
	 * The result of a registration check; by default the gateway accepts the instance.
	 */
	Function<Gateway, Mono<RegistrationCheck>> check = (gateway) -> Mono.just(new RegistrationCheck.Accepted());

	final GatewayClient client = new GatewayClient(WebClient.create(), KEY, "gateway") {

		@Override
		Mono<RegistrationCheck> checkRegistration(Gateway gateway, WarmupClaim claim) {
			return Mono.defer(() -> {
				RunFixture.this.checks.add(gateway.id() + " " + claim.instanceId());
				return RunFixture.this.check.apply(gateway);
			});
		}

		@Override
		Mono<Void> report(Gateway gateway, RunReport report) {
			return Mono.defer(() -> {
				RunFixture.this.concludedAt = Duration.ofNanos(nanoTime());
				RunFixture.this.reportedTo.add(gateway);
				RunFixture.this.reports.add(report);
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

	};

	final Timing timing = new Timing(this.clock, this.time, this::nanoTime);

	Duration endedAt = Duration.ZERO;

	/** The tasks before a run. */
	WarmupTasks tasks = WarmupTasks.none();

	GatewayRun gatewayRun(int concurrency) {
		return gatewayRun(concurrency, this.notes);
	}

	GatewayRun gatewayRun(int concurrency, RunListener... listeners) {
		return new GatewayRun(this.client, this.replayer, List.of(listeners), this.state, settings(concurrency, 1),
				this.timing);
	}

	/** A runner with a budget of one minute. */
	WarmupRunner runner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways, int repetitions,
			Gate gate) {
		return new WarmupRunner(instance, catalogs, gateways, this.tasks, this.client, this.replayer,
				List.of(this.notes), this.state, gate, () -> this.readiness, settings(1, repetitions), this.timing);
	}

	private static RunSettings settings(int concurrency, int repetitions) {
		return settings(Duration.ofMinutes(1), repetitions, repetitions, concurrency, Steadily.AT_ONCE);
	}

	static RunSettings settings(Duration budget, int minRepetitions, int maxRepetitions, int concurrency,
			SteadyCriteria criteria) {
		return new RunSettings(budget, minRepetitions, maxRepetitions, concurrency, 1, 1, criteria, Trigger.STARTUP,
				Duration.ofMinutes(2));
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

	/** Executes a run to its end, in virtual time. */
	List<RunRecord> run(WarmupRunner runner, Trigger trigger) {
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier.withVirtualTime(() -> runner.run(trigger), () -> this.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofMinutes(2))
			.consumeNextWith(runs::addAll)
			.expectComplete()
			.verify(PATIENCE);
		return runs;
	}

	Budget budget(Duration duration) {
		return Budget.start(duration, this::nanoTime);
	}

	/** When the last report was sent, counted from the start. */
	Duration concludedAt() {
		return this.concludedAt;
	}

	long nanoTime() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	/** Answers each request of a scenario as expected, at once. */
	static Flux<Outcome> answered(Scenario scenario) {
		return Flux.fromIterable(scenario.requests())
			.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(5)));
	}

	static Flux<Outcome> unexpected(Scenario scenario, int status, boolean byService) {
		return Flux.fromIterable(scenario.requests())
			.map((request) -> new Outcome.Unexpected(scenario, request, Duration.ofMillis(5), status,
					status + " (expected 2xx)", byService));
	}

	static Flux<Outcome> failed(Scenario scenario, String problem) {
		return Flux.fromIterable(scenario.requests())
			.map((RequestTemplate request) -> new Outcome.Failed(scenario, request, problem));
	}

	/** Notes the calls of a listener. */
	static final class Notes implements RunListener {

		final List<Outcome> outcomes = new ArrayList<>();

		final List<RunRecord> runs = new ArrayList<>();

		final List<Optional<Phase>> conclusions = new ArrayList<>();

		final List<Phase> phases = new ArrayList<>();

		@Override
		public void onOutcome(Outcome outcome) {
			this.outcomes.add(outcome);
		}

		@Override
		public void onRun(RunRecord run) {
			this.runs.add(run);
		}

		@Override
		public void onConcluded(Optional<Phase> left) {
			this.conclusions.add(left);
		}

		@Override
		public void onPhase(Phase phase) {
			this.phases.add(phase);
		}

	}

	static Plan plan(Catalog catalog, int repetitions) {
		return Plan.of(catalog, "chat-service", Trigger.STARTUP, repetitions);
	}

	/** Runs through one gateway to the end, in virtual time, and notes when that was. */
	RunRecord run(GatewayRun gatewayRun, Plan plan, Budget budget) {
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier
			.withVirtualTime(
					() -> gatewayRun
						.run("r-1", Trigger.STARTUP, plan, List.of(), SELF, GATEWAY, budget, budget.remaining())
						.doOnNext((run) -> this.endedAt = Duration.ofNanos(nanoTime())),
					() -> this.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofMinutes(2))
			.consumeNextWith(runs::add)
			.expectComplete()
			.verify(PATIENCE);
		return runs.get(0);
	}

}
