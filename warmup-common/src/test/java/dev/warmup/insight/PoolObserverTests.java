package dev.warmup.insight;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.insight.PoolObserver.Pool;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.Outcome;
import dev.warmup.run.RunInternals;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class PoolObserverTests {

	private static final Catalog CATALOG = Catalogs.ofRequests("GET /one", "GET /two");

	private static final Scenario SCENARIO = CATALOG.scenarios().get(0);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final UserActivity users = new UserActivity(Clock.systemUTC());

	private final RunRecorder recorder = RunInternals.recorder(CATALOG, "shop");

	private int active;

	private int pending;

	private int open = 10;

	private final Pool pool = new Pool("main", () -> this.active, () -> this.pending, () -> this.open, 10, "atLeast");

	private final PoolObserver observer = observer(this.pool);

	private RunListener.Observation observation = begun("r-1", this.observer);

	/** What is in use while the first request runs, and while the second does. */
	@ParameterizedTest
	@CsvSource({ "0 1 2 1 0, 2, 0 1 0, 1", "0 2, 2, 2 2 0 1, 1", "0 2, 2, 2 3 2,", "0 0 0,, 0 1 0, 1" })
	void requestHoldsThePeakOnceWhatWasInUseBeforeWasGivenBack(String duringFirst, @Nullable Integer first,
			String duringSecond, @Nullable Integer second) {
		read(duringFirst);
		answered(0);
		read(duringSecond);
		answered(1);
		assertThat(connections()).containsExactly(Optional.ofNullable(first), Optional.ofNullable(second));
	}

	@Test
	void requestHasNoFigureIfAUserWasThereMeanwhileOrItFailed() {
		read("0 2 0");
		this.users.begin();
		answered(0);
		read("0 2 0");
		this.users.end();
		answered(0);
		read("0 2 0");
		this.observation.alone(new Outcome.Failed(SCENARIO, SCENARIO.requests().get(0), "no answer within 2000 ms"));
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
		read("0 2 0");
		answered(1);
		assertThat(connections()).containsExactly(Optional.empty(), Optional.of(2));
	}

	@Test
	void aPoolThatCanDeadlockIsReportedByEachRunAndLoggedOnce() {
		String risk = "Pool main can deadlock if only/GET /two waits for one connection while it holds another:"
				+ " 3 were in use at once, so 20 threads need 20 x (3 - 1) + 1 = 41, but it has 10.";
		try (CapturedLog log = CapturedLog.of(PoolObserver.class)) {
			for (int run = 0; run < 2; run++) {
				read("0 2 0");
				answered(0);
				read("0 3 0");
				answered(1);
				this.observation.ended();
				this.observation.close();
				assertThat(this.recorder.finished().findings()).containsExactly(risk);
				this.observation = begun("r-2", this.observer);
			}
			assertThat(log.lines()).containsExactly("WARN " + risk + " See " + PoolObserver.SOURCE);
		}
	}

	@Test
	void aPoolOfWhichEachRequestHoldsOneIsNotReported() {
		read("0 1 0");
		answered(0);
		this.observation.together();
		read("9 10");
		this.observation.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
	}

	/**
	 * A caller has not waited while a connection is left, which is being handed to it.
	 */
	@ParameterizedTest
	@CsvSource({ "10, 1, a request", "10, 3, 3 requests at once", "9, 1," })
	void callersThatWaitedAreReported(int inUse, int waiting, @Nullable String who) {
		this.observation.together();
		this.pending = 1;
		read(String.valueOf(inUse));
		this.pending = waiting;
		read(String.valueOf(inUse));
		this.observation.ended();
		assertThat(this.recorder.finished().findings()).isEqualTo((who == null) ? List.of()
				: List.of("Pool main: %s waited for one of its 10 connections.".formatted(who)));
	}

	@Test
	void connectionsLeftForABurstToOpenAreReportedUnlessThePoolHasNotStarted() {
		this.open = 0;
		this.observation.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
		this.open = 4;
		this.observation.ended();
		assertThat(this.recorder.finished().findings())
			.containsExactly("Pool main has 4 of its 10 connections open: the first burst pays for opening the others;"
					+ " set atLeast = 10.");
	}

	@Test
	void nothingIsReadBeforeTheFirstRequest() {
		AtomicInteger reads = new AtomicInteger();
		Pool counting = new Pool("counting", reads::incrementAndGet, () -> 0, () -> 0, 1, "none");
		RunListener.Observation waiting = observer(counting).begin("r-1", this.recorder);
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(reads).hasValue(0);
		waiting.attempt();
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(reads).hasPositiveValue();
	}

	@Test
	void nothingIsReadAfterTheRun() {
		read("0 2 0");
		this.observation.close();
		assertThat(this.time.getScheduledTaskCount()).isPositive();
		this.active = 10;
		this.pending = 3;
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		this.observation.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
	}

	@Test
	void aPoolThatBreaksIsNotReadAnyMore() {
		AtomicInteger reads = new AtomicInteger();
		IntSupplier broken = () -> {
			reads.incrementAndGet();
			throw new IllegalStateException("closed");
		};
		try (CapturedLog log = CapturedLog.of(PoolObserver.class)) {
			begun("r-1", observer(new Pool("broken", broken, () -> 0, () -> 0, 1, "none")));
			this.time.advanceTimeBy(Duration.ofSeconds(1));
			assertThat(log.lines()).hasSize(1);
		}
		assertThat(reads).hasValue(1);
	}

	/** The examples of HikariCP's page among them. */
	@ParameterizedTest
	@CsvSource({ "3, 4, 10", "8, 3, 17", "200, 2, 201", "1, 2, 2" })
	void aPoolOfTheSizeThatTheFormulaRequiresCannotDeadlock(int threads, int held, int size) {
		assertThat(deadlock(size, held, Optional.of(threads))).isEmpty();
		assertThat(deadlock(1, 1, Optional.of(threads))).as("one at a time").isEmpty();
		assertThat(deadlock(size - 1, held, Optional.of(threads))).hasValueSatisfying(
				(risk) -> assertThat(risk).contains("%d x (%d - 1) + 1 = %d".formatted(threads, held, size)));
	}

	@ParameterizedTest
	@CsvSource({ "10, 2, 9", "10, 3, 4", "3, 3, 1", "2, 3, 0" })
	void withoutThreadsToBoundThemTheNumberOfRequestsThatThePoolBearsIsReported(int size, int held, int bearable) {
		assertThat(deadlock(size, held, Optional.empty()))
			.hasValueSatisfying((risk) -> assertThat(risk).contains("are enough for %d such".formatted(bearable)));
		assertThat(deadlock(1, 1, Optional.empty())).as("one at a time").isEmpty();
	}

	private static Optional<String> deadlock(int size, int held, Optional<Integer> threads) {
		return PoolObserver.deadlock(new Pool("main", () -> 0, () -> 0, () -> size, size, "atLeast"),
				new PoolObserver.Holder("orders/place", held), threads);
	}

	/** A run whose first request is about to be sent. */
	private RunListener.Observation begun(String run, PoolObserver observer) {
		RunListener.Observation begun = observer.begin(run, this.recorder);
		begun.attempt();
		return begun;
	}

	private PoolObserver observer(Pool observed) {
		return new PoolObserver(() -> List.of(() -> List.of(observed)), this.users, Optional.of(20), this.time);
	}

	/**
	 * Ten milliseconds at a time, so that each value is read, also in the later rounds.
	 */
	private void read(String values) {
		for (String each : values.split(" ")) {
			this.active = Integer.parseInt(each);
			this.time.advanceTimeBy(Duration.ofMillis(10));
		}
	}

	private void answered(int request) {
		this.observation.alone(new Outcome.Answered(SCENARIO, SCENARIO.requests().get(request), Duration.ofMillis(5)));
	}

	private List<Optional<Integer>> connections() {
		return this.recorder.finished().requests().stream().map(RunRecord.Request::connections).toList();
	}

}
