package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.warmup.Catalogs;
import dev.warmup.MutableClock;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.locate.Gateway;
import dev.warmup.record.Instance;
import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;
import dev.warmup.replay.Budget;
import dev.warmup.replay.Outcome;
import dev.warmup.report.Reporter;
import dev.warmup.report.RunReport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What tests of runs share: virtual time, two scenarios, and notes of what happened. */
final class RunFixture {

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

	final Reporter reporter = (gateway, report) -> Mono.fromRunnable(() -> {
		this.concludedAt = Duration.ofNanos(nanoTime());
		this.reportedTo.add(gateway);
		this.reports.add(report);
	});

	final Notes notes = new Notes();

	final WarmupState state = new WarmupState(this.clock, List.of(this.notes));

	Passage passage(int concurrency) {
		return new Passage(this.replayer, this.reporter, concurrency, List.of(this.notes), this.state, this.clock,
				this.time);
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

	/** Notes what a listener is told. */
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

}
