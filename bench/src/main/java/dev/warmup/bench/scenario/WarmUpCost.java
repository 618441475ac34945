package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.bench.process.Usage;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.variant.Effort;

/**
 * What it took to get a fresh stack ready.
 *
 * @param start the time from the start of a process until it called itself started, of
 * the one that took longer
 * @param wall the time from the start of the last process, as it logged it, to ready
 * @param usage of chat-service and gateway, from the start of their processes to ready
 * @param effort what was sent
 * @param warm whether {@code ./stack} called it warm, or had nothing to say about that
 */
record WarmUpCost(Optional<Duration> start, Optional<Duration> wall, Usage usage, Effort effort, boolean warm) {

	private static final String PART = "warm-up";

	/**
	 * Records it as part {@code warm-up}, and notes what is not known.
	 * @param recorder takes the figures
	 */
	void record(Recorder recorder) {
		seconds(recorder, "start", this.start);
		seconds(recorder, "wall", this.wall);
		seconds(recorder, "cpu", this.usage.cpu());
		seconds(recorder, "compile", this.usage.compile());
		known(recorder, "memory", Unit.MEBIBYTES,
				this.usage.memory().map((memory) -> memory.toBytes() / (1024.0 * 1024)));
		recorder.record(PART, "requests", Unit.COUNT, (double) this.effort.requests());
		recorder.record(PART, "unexpected", Unit.COUNT, (double) this.effort.unexpected());
		noteIfCold(recorder);
	}

	/**
	 * Notes when {@code ./stack} did not call it warm.
	 * @param recorder takes the note
	 */
	void noteIfCold(Recorder recorder) {
		if (!this.warm) {
			recorder.note("./stack ran everything, but did not call it warm.");
		}
	}

	private static void seconds(Recorder recorder, String metric, Optional<Duration> value) {
		known(recorder, metric, Unit.SECONDS, value.map((time) -> time.toNanos() / 1e9));
	}

	private static void known(Recorder recorder, String metric, Unit unit, Optional<Double> value) {
		value.ifPresentOrElse((figure) -> recorder.record(PART, metric, unit, figure),
				() -> recorder.note("What the warm-up took is not known here: " + metric + "."));
	}

}
