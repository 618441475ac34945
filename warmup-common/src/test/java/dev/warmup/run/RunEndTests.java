package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.Verdict;
import dev.warmup.run.RunEnd.Decision;
import dev.warmup.run.RunEnd.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class RunEndTests {

	/** Budget 10 s, deadline 120 s; seconds since the first answer. */
	@ParameterizedTest
	@CsvSource({ //
			"STARTUP,   5, false, false, false, false, CONTINUE", // not complete, budget
																	// left
			"STARTUP,   5, true,  false, false, false, CONTINUE", // complete, budget left
			"STARTUP,   5, true,  true,  false, false, END", // steady before the budget
																// is spent
			"STARTUP,  10, false, false, false, false, END", // fewer answers in the
																// budget
			"STARTUP,  10, true,  false, false, false, OPEN_GATE", // complete, budget
																	// spent
			"STARTUP,  20, true,  false, true,  false, CONTINUE", // no user has come
			"STARTUP,  20, true,  false, true,  true,  END", // the first user
			"STARTUP,  20, true,  true,  true,  false, END", // steady at last
			"STARTUP,  60, true,  false, true,  false, END", // 60 s from the first answer
			"OTHER,     5, true,  false, true,  false, CONTINUE", //
			"OTHER,     5, true,  true,  true,  false, END", //
			"OTHER,    10, true,  false, true,  false, END", //
			"OTHER,    10, false, false, true,  false, END", //
			"TRAINING, 20, true,  true,  false, false, CONTINUE", // steady or not
			"TRAINING, 20, false, false, false, false, CONTINUE", //
			"TRAINING, 60, true,  false, false, false, END" })
	void aRunThatIsAnsweredEndsAndOpensTheGateAsTheContractSays(Kind kind, long replayed, boolean complete,
			boolean steady, boolean gateOpen, boolean awaited, Decision decision) {
		assertThat(RunEnd.decide(new RunEnd.Snapshot(kind, false, true, Duration.ofSeconds(replayed),
				Duration.ofSeconds(10), true, complete, false, true, steady, gateOpen, awaited)))
			.isEqualTo(decision);
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "false, false" })
	void aRunThatWouldNotBeWarmEndsSoThatThePolicyDecidesOnTheGate(boolean failing, boolean proved) {
		assertThat(RunEnd.decide(new RunEnd.Snapshot(Kind.STARTUP, false, true, Duration.ofSeconds(10),
				Duration.ofSeconds(10), true, true, failing, proved, false, false, false)))
			.isEqualTo(Decision.END);
	}

	@ParameterizedTest
	@CsvSource({ "STARTUP, 100, CONTINUE", "TRAINING, 100, CONTINUE", "OTHER, 9, CONTINUE", "OTHER, 10, END" })
	void withoutAFirstAnswerARunOnDemandWaitsForItsBudgetAndTheOthersUntilTheDeadline(Kind kind, long elapsed,
			Decision decision) {
		assertThat(RunEnd.decide(new RunEnd.Snapshot(kind, false, false, Duration.ofSeconds(elapsed),
				Duration.ofSeconds(10), false, false, false, false, false, false, false)))
			.isEqualTo(decision);
	}

	@ParameterizedTest
	@EnumSource(Kind.class)
	void whatIsOverEndsWhateverItHasDone(Kind kind) {
		assertThat(RunEnd.decide(new RunEnd.Snapshot(kind, true, true, Duration.ofSeconds(1), Duration.ofSeconds(10),
				true, true, false, true, false, false, false)))
			.isEqualTo(Decision.END);
	}

	@Test
	void warmNeedsEveryRequestOftenEnoughAProofAndNoRequestThatFailsNow() {
		assertThat(verdict(true, true, false, true)).isEqualTo(Verdict.WARM);
		assertThat(verdict(true, false, false, true)).isEqualTo(Verdict.DEGRADED);
		assertThat(verdict(true, true, true, true)).isEqualTo(Verdict.DEGRADED);
		assertThat(verdict(true, true, false, false)).isEqualTo(Verdict.DEGRADED);
		assertThat(verdict(false, false, true, false)).isEqualTo(Verdict.FAILED);
	}

	private static Verdict verdict(boolean answered, boolean complete, boolean failing, boolean proved) {
		return RunEnd.verdict(new RunEnd.Snapshot(Kind.STARTUP, false, true, Duration.ZERO, Duration.ZERO, answered,
				complete, failing, proved, false, false, false));
	}

}
