package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.GatewayClient.RegistrationCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** How a run finds a route to its own instance, and its reason where there is none. */
@Timeout(60)
class RouteTests {

	private final RunFixture fixture = new RunFixture();

	private final ScriptedReplayer replayer = this.fixture.replayer;

	private final Budget budget = this.fixture.budget(Duration.ofMinutes(1));

	@Test
	void nothingElseIsSentUntilAServiceAnswersTheFirstRequest() {
		AtomicInteger tries = new AtomicInteger();
		this.replayer.script = (scenario, session) -> switch (tries.getAndIncrement()) {
			case 0 -> RunFixture.failed(scenario, "Connection refused");
			case 1 -> RunFixture.unexpected(scenario, 503, false);
			case 2 -> RunFixture.unexpected(scenario, 404, false);
			default -> RunFixture.answered(scenario);
		};
		RunRecord run = run(1, 2);
		assertThat(this.replayer.replayed).containsExactly("first", "first", "first", "first", "second", "first",
				"second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).as("attempts that found no route are no part of the run").isEqualTo(6);
		assertThat(this.fixture.notes.outcomes).hasSize(6);
	}

	@Test
	void nothingIsSentUntilTheGatewayAcceptsTheRegistration() {
		this.fixture.check = (gateway) -> Mono.just((this.fixture.checks.size() < 4)
				? new RegistrationCheck.Pending("gateway gw-1 does not know host:1 yet")
				: new RegistrationCheck.Accepted());
		RunRecord run = run(1, 1);
		assertThat(this.fixture.checks).hasSize(4).containsOnly("gw-1 host:1");
		assertThat(this.replayer.replayed).containsExactly("first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.waited()).isZero();
	}

	@Test
	void aGatewayThatNeverAcceptsTheRegistrationIsNamed() {
		this.fixture.check = (gateway) -> Mono
			.just(new RegistrationCheck.Pending("gateway gw-1 does not know host:1 yet"));
		RunRecord run = run(1, 1);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("gateway gw-1 does not know host:1 yet");
		assertThat(this.replayer.replayed).isEmpty();
		assertThat(this.fixture.endedAt).isLessThanOrEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void aGatewayThatDoesNotSupportTheCheckIsTriedWithTheFirstRequest() {
		this.fixture.check = (gateway) -> Mono.just(new RegistrationCheck.Unsupported());
		assertThat(run(1, 1).verdict()).isEqualTo(Verdict.WARM);
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 401, 404, 421, 503 })
	void aGatewayWithoutTheLibraryIsNamedAsTheCauseWithTheFix(int status) {
		this.fixture.check = (gateway) -> Mono.just(new RegistrationCheck.Unsupported());
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, status, false);
		RunRecord run = run(1, 1);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue(
				"gateway gw-1 answered without proof of the instance (GET /first: %d): it has no".formatted(status)
						+ " warmup-common, or another instance answered; add dev.warmup:warmup-common to the gateway");
		assertThat(run.sent()).isZero();
	}

	@Test
	void theReasonOfTheAttemptsBeforeIsKeptWhereTheBudgetCutsTheLast() {
		this.replayer.script = (scenario, session) -> (this.replayer.replayed.size() == 1)
				? RunFixture.unexpected(scenario, 503, false)
				: Flux.<Outcome>just(new Outcome.Cut(scenario, scenario.requests().get(0)))
					.delaySubscription(session.budget().remaining(), this.fixture.time);
		RunRecord run = run(1, 1);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason().orElseThrow()).startsWith("GET /first through gateway gw-1: 503")
			.endsWith("; then GET /first through gateway gw-1: no answer before the budget was spent");
		assertThat(this.fixture.endedAt).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void aFallbackOfAGatewayThatKnowsTheInstanceIsWaitedOut() {
		this.replayer.script = (scenario, session) -> (this.replayer.replayed.size() < 3)
				? RunFixture.unexpected(scenario, 200, false) : RunFixture.answered(scenario);
		RunRecord run = run(1, 1);
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.replayer.replayed).containsExactly("first", "first", "first", "second");
	}

	@Test
	void whatAGatewayDecidesForItselfIsNotWaitedFor() {
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, 401, false);
		RunRecord run = run(1, 2);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.sent()).isEqualTo(6);
		assertThat(this.fixture.endedAt).isZero();
		assertThat(run.reason().orElseThrow()).contains("give the catalog credentials");
	}

	@Test
	void anUnexpectedAnswerOfAServiceIsARoute() {
		this.replayer.script = (scenario, session) -> scenario.name().equals("first")
				? RunFixture.unexpected(scenario, 500, true) : RunFixture.answered(scenario);
		RunRecord run = run(1, 2);
		assertThat(this.replayer.replayed).containsExactly("first", "second", "first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.failed()).isEqualTo(2);
		assertThat(run.reason()).hasValue("GET /first 500 (expected 2xx)");
	}

	@Test
	void anAttemptWithoutARouteSendsOnlyCleanupAfterTheFirstRequest() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: only, unsafe: true, requests: [POST /a, POST /b], finally: [DELETE /a] }
				""");
		AtomicInteger tries = new AtomicInteger();
		List<String> sent = new ArrayList<>();
		this.replayer.script = (scenario, session) -> replay(scenario, session.budget(),
				tries.getAndIncrement() == 0 ? "no answer within 2000 ms" : "", sent);
		RunRecord run = run(RunFixture.plan(catalog, 1), 1);
		assertThat(sent).containsExactly("POST /a", "DELETE /a", "POST /a", "POST /b", "DELETE /a");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).isEqualTo(3);
	}

	@Test
	void aRunThatIsStoppedWhileItWaitsFailsWithTheReason() {
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, 503, false)
			.doOnComplete(this.budget::stop);
		RunRecord run = run(1, 3);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("GET /first through gateway gw-1: 503 (expected 2xx)");
	}

	@Test
	void theWaitDoesNotShortenTheReplay() {
		this.replayer.script = (scenario, session) -> (this.fixture.time.now(TimeUnit.SECONDS) < 50)
				? RunFixture.unexpected(scenario, 503, false)
				: RunFixture.answered(scenario).delaySubscription(Duration.ofSeconds(1), this.fixture.time);
		RunRecord run = run(1, 20);
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.fixture.endedAt).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
	}

	/** As the real one does: requests while the budget lasts, then what cleans up. */
	private static Flux<Outcome> replay(Scenario scenario, Budget budget, String problem, List<String> sent) {
		Flux<Outcome> requests = Flux.fromIterable(scenario.requests())
			.takeWhile((request) -> !budget.isOver())
			.concatMap((request) -> Mono.fromSupplier(() -> {
				sent.add(request.name());
				return problem.isEmpty() ? new Outcome.Answered(scenario, request, Duration.ofMillis(1))
						: new Outcome.Failed(scenario, request, problem);
			}), 0);
		return requests.concatWith(Flux.fromIterable(scenario.cleanup())
			.doOnNext((request) -> sent.add(request.name()))
			.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(1))));
	}

	private RunRecord run(int concurrency, int repetitions) {
		return run(RunFixture.plan(RunFixture.CATALOG, repetitions), concurrency);
	}

	private RunRecord run(Plan plan, int concurrency) {
		return run(this.fixture.gatewayRun(concurrency), plan);
	}

	private RunRecord run(GatewayRun gatewayRun, Plan plan) {
		return this.fixture.run(gatewayRun, plan, this.budget);
	}

}
