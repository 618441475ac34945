package dev.warmup.bench.result;

import java.util.Optional;

/**
 * Whether a run shows what any run must show, however few its rounds and however slow the
 * machine: that the benchmark works, and the warm-up does something.
 */
public final class Soundness {

	private Soundness() {
	}

	/**
	 * Compares the warm-up with nothing.
	 * @param summary the figures
	 * @return what is wrong: the first requests were not measured, or the typical one of
	 * a warmed system is no faster than that of a cold one; empty when all is well
	 */
	public static Optional<String> problem(Summary summary) {
		Kinds kinds = new Kinds(summary, "first", "everything");
		Optional<Double> cold = kinds.typical("nothing");
		Optional<Double> warm = kinds.typical("ours");
		if (cold.isEmpty() || warm.isEmpty()) {
			return Optional.of("the first requests with the warm-up and without it were not measured");
		}
		return (warm.get() < cold.get()) ? Optional.empty()
				: Optional.of("the first requests take %s ms with the warm-up, and %s ms without it"
					.formatted(Numbers.of(warm.get()), Numbers.of(cold.get())));
	}

}
