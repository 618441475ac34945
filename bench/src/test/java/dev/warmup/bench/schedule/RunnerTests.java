package dev.warmup.bench.schedule;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Unit;

import static org.assertj.core.api.Assertions.assertThat;

class RunnerTests {

	private final List<String> done = new ArrayList<>();

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private final FakeClock clock = new FakeClock();

	private boolean stopped;

	private Iterator<Duration> work = Stream.generate(() -> Duration.ofMillis(20)).iterator();

	private final Runner runner = new Runner(
			new Progress(this.clock, new PrintStream(this.printed, true, StandardCharsets.UTF_8)), () -> this.stopped,
			Duration.ofMinutes(10), () -> this.work.next());

	@Test
	void stepsTakeTurnsWithinAScenarioAndScenariosFollowEachOther() {
		this.runner.run(List.of(scenario("first", 2, logged("A"), logged("B")), scenario("burst", 2, logged("C"))));

		assertThat(this.done).containsExactly("A", "B", "A", "B", "C", "C");
	}

	@Test
	void figuresAreStampedWithScenarioVariantAndRound() {
		Step step = step("ours", (recorder) -> recorder.latency("gateway", "p99", Duration.ofMillis(3)));

		Findings findings = this.runner.run(List.of(scenario("first", 2, step)));

		assertThat(findings.samples()).containsExactly(new Sample("first", "gateway", "ours", "p99", Unit.MILLIS, 1, 3),
				new Sample("first", "gateway", "ours", "p99", Unit.MILLIS, 2, 3));
		assertThat(findings.failures()).isZero();
	}

	@Test
	void theSameNoteIsKeptOnceForEachVariant() {
		Step ours = step("ours", (recorder) -> recorder.note("Not root."));
		Step steady = step("steady", (recorder) -> recorder.note("Not root."));

		Findings findings = this.runner.run(List.of(scenario("idle", 3, ours, steady)));

		assertThat(findings.notes()).containsExactly(new Note("idle", "ours", "Not root."),
				new Note("idle", "steady", "Not root."));
		assertThat(findings.failures()).isZero();
	}

	@Test
	void aStepThatFailsBecomesANoteAndTheOthersGoOn() {
		Step broken = step("aot", (recorder) -> {
			throw new IllegalStateException("exit code 1:\n  stack: port 8000 is taken\n");
		});

		Findings findings = this.runner.run(List.of(scenario("burst", 2, broken, logged("ours"))));

		assertThat(findings.notes()).containsExactly(new Note("burst", "aot",
				"A step failed: IllegalStateException: exit code 1: stack: port 8000 is taken"));
		assertThat(this.done).containsExactly("ours", "ours");
		assertThat(findings.failures()).isEqualTo(2);
	}

	@Test
	void aStepThatBringsNothingHasFailed() {
		Findings findings = this.runner.run(List.of(scenario("cost", 1, step("ours", (recorder) -> {
		}))));

		assertThat(findings.failures()).isOne();
		assertThat(findings.notes()).containsExactly(new Note("cost", "ours", "A step brought no figure."));
	}

	@Test
	void aStepDoesNotHandItsInterruptToTheNext() {
		List<Boolean> interrupted = new ArrayList<>();
		Step broken = step("nothing", (recorder) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted");
		});
		Step next = step("ours", (recorder) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			recorder.note("There.");
		});

		this.runner.run(List.of(scenario("first", 1, broken, next)));

		assertThat(interrupted).containsExactly(false);
	}

	@Test
	void aScenarioThatCannotTellItsStepsLeavesTheOthersAlone() {
		Scenario broken = new FakeScenario("growth", 1, List.of()) {

			@Override
			public List<Step> steps() {
				throw new IllegalArgumentException("there is no variant ours");
			}

		};

		Findings findings = this.runner.run(List.of(broken, scenario("first", 1, logged("A"))));

		assertThat(this.done).containsExactly("A");
		assertThat(findings.failures()).isOne();
		assertThat(findings.notes()).extracting(Note::scenario).containsExactly("growth");
	}

	@Test
	void noStepBeginsOnceItIsStoppedAndTheBrokenOffOneIsNotNoted() {
		Step last = step("nothing", (recorder) -> {
			this.stopped = true;
			throw new IllegalStateException("Shutdown in progress");
		});

		Findings findings = this.runner.run(List.of(scenario("first", 2, last, logged("A"))));

		assertThat(this.done).isEmpty();
		assertThat(findings.notes()).isEmpty();
	}

	@Test
	void theTimeLeftFollowsWhatTheDoneStepsTook() {
		Step slow = new Step("nothing", Duration.ofSeconds(60), (recorder) -> {
			this.clock.pass(Duration.ofSeconds(90));
			recorder.note("Slow.");
		});

		this.runner.run(List.of(scenario("first", 3, slow)));

		assertThat(this.printed.toString(StandardCharsets.UTF_8)).containsSubsequence(
				"step 1 of 3: first, nothing, round 1 of 3; elapsed 0:00, about 3:00 left",
				"step 2 of 3: first, nothing, round 2 of 3; elapsed 1:30, about 3:00 left",
				"step 3 of 3: first, nothing, round 3 of 3; elapsed 3:00, about 1:30 left");
	}

	@Test
	void roundsThatAreAskedForAreMadeWhetherOrNotThereIsTime() {
		Findings findings = this.runner
			.run(List.of(new Repeated(repeatedInTime(taking("A", 300), taking("B", 300)), 3)));

		assertThat(this.done).containsExactly("A", "B", "A", "B", "A", "B");
		assertThat(findings.samples()).extracting(Sample::round).containsExactly(1, 1, 2, 2, 3, 3);
		assertThat(findings.notes()).isEmpty();
	}

	@Test
	void aSecondRoundThatIsMadeInTimeComesLast() {
		this.runner
			.run(List.of(repeatedInTime(taking("A", 60), taking("B", 60)), scenario("burst", 2, taking("C", 60))));

		assertThat(this.done).containsExactly("A", "B", "C", "C", "B", "A");
		assertThat(this.printed.toString(StandardCharsets.UTF_8)).contains("step 5 of 6: first, B, round 2 of 2;");
	}

	@Test
	void aSecondRoundIsLeftOutWhereThereIsNoTimeForIt() {
		Findings findings = this.runner.run(List.of(repeatedInTime(taking("A", 100), taking("B", 10)),
				scenario("burst", 1, taking("C", 480), taking("D", 5))));

		assertThat(this.done).containsExactly("A", "B", "C", "D");
		assertThat(findings.notes()).containsExactly(new Note("first", "B", "There was no time for round 2."),
				new Note("first", "A", "There was no time for round 2."));
		assertThat(findings.failures()).isZero();
	}

	@Test
	void whatBrokeOffEarlyDoesNotShortenTheTimeLeft() {
		Step broken = new Step("aot", Duration.ofMinutes(40), (recorder) -> {
			throw new IllegalStateException("no cache");
		});

		this.runner.run(List.of(scenario("first", 2, broken)));

		assertThat(this.printed.toString(StandardCharsets.UTF_8)).containsSubsequence(
				"step 1 of 2: first, aot, round 1 of 2; elapsed 0:00, about 1:20:00 left",
				"step 2 of 2: first, aot, round 2 of 2; elapsed 0:00, about 40:00 left");
	}

	private Step taking(String name, long seconds) {
		return new Step(name, Duration.ofSeconds(seconds), (recorder) -> {
			this.done.add(name);
			this.clock.pass(Duration.ofSeconds(seconds));
			recorder.record("", "done", Unit.COUNT, 1);
		});
	}

	@Test
	void stepsBeforeWhichTheMachineWasSlowerAreNoted() {
		this.work = Stream.of(24, 20, 23, 30).map(Duration::ofMillis).iterator();

		Findings findings = this.runner
			.run(List.of(scenario("first", 1, logged("A"), logged("B"), logged("C"), logged("D"))));

		assertThat(findings.notes()).containsExactly(new Note("", "",
				"The machine was slower at times: the same work took 20.0 ms of CPU before first B, round 1, and more"
						+ " than 1.2 times that before first A, round 1 (24.0), first D, round 1 (30.0)."));
	}

	@Test
	void nothingIsNotedOfAMachineThatIsAsFastBeforeAllSteps() {
		this.work = Stream.of(20, 23, 21).map(Duration::ofMillis).iterator();

		assertThat(this.runner.run(List.of(scenario("first", 1, logged("A"), logged("B"), logged("C")))).notes())
			.isEmpty();
	}

	private static Scenario repeatedInTime(Step... steps) {
		return new FakeScenario("first", 1, List.of(steps)) {

			@Override
			public List<Step> stepsInTime() {
				return List.of(steps[1], steps[0]);
			}

		};
	}

	private Step logged(String name) {
		return step(name, (recorder) -> {
			this.done.add(name);
			recorder.record("", "done", Unit.COUNT, 1);
		});
	}

	private static Step step(String variant, Step.Action action) {
		return new Step(variant, Duration.ofSeconds(1), action);
	}

	private static Scenario scenario(String id, int rounds, Step... steps) {
		return new FakeScenario(id, rounds, List.of(steps));
	}

	private static class FakeScenario implements Scenario {

		private final String id;

		private final int rounds;

		private final List<Step> steps;

		FakeScenario(String id, int rounds, List<Step> steps) {
			this.id = id;
			this.rounds = rounds;
			this.steps = steps;
		}

		@Override
		public String id() {
			return this.id;
		}

		@Override
		public int rounds() {
			return this.rounds;
		}

		@Override
		public List<Step> steps() {
			return this.steps;
		}

	}

	private static final class FakeClock extends Clock {

		private Instant now = Instant.EPOCH;

		void pass(Duration duration) {
			this.now = this.now.plus(duration);
		}

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
