package dev.warmup.bench.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How fast the machine was before each step, by the CPU time of work that is always the
 * same: steps of one run can be compared only where it was as fast.
 */
final class MachineSpeed {

	/** From here on a step counts as measured on a slower machine. */
	private static final double SLOWER = 1.2;

	private final List<Reading> readings = new ArrayList<>();

	/**
	 * Keeps a reading.
	 * @param turn what comes next
	 * @param work the CPU time of the work
	 */
	void read(Turn turn, Duration work) {
		this.readings.add(new Reading(turn, work.toNanos() / 1e6));
	}

	/**
	 * Tells before which steps the machine was slower.
	 * @return a sentence, or empty where it was about as fast before all
	 */
	Optional<String> difference() {
		List<Reading> sorted = this.readings.stream().sorted(Comparator.comparingDouble(Reading::millis)).toList();
		if (sorted.isEmpty() || sorted.get(sorted.size() - 1).millis() < SLOWER * sorted.get(0).millis()) {
			return Optional.empty();
		}
		Reading least = sorted.get(0);
		return Optional
			.of("The machine was slower at times: the same work took %.1f ms of CPU before %s, and more than %.1f times that before %s."
				.formatted(least.millis(), least.step(), SLOWER,
						this.readings.stream()
							.filter((reading) -> reading.millis() >= SLOWER * least.millis())
							.map((reading) -> "%s (%.1f)".formatted(reading.step(), reading.millis()))
							.collect(Collectors.joining(", "))));
	}

	private record Reading(Turn turn, double millis) {

		String step() {
			return "%s %s, round %d".formatted(this.turn.scenario(), this.turn.step().variant(), this.turn.round());
		}

	}

}
