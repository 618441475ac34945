package dev.warmup.bench.scenario;

import java.time.Duration;

import dev.warmup.bench.variant.Variant;

/** How long variants take, roughly. */
final class Expected {

	private static final Duration START = Duration.ofSeconds(20);

	private static final Duration RESTART = Duration.ofSeconds(10);

	private Expected() {
	}

	/**
	 * How long it takes until a variant calls a fresh stack ready.
	 * @param variant the variant
	 * @param quick whether it shall be quick
	 * @return a guess
	 */
	static Duration start(Variant variant, boolean quick) {
		return START.plus(warming(variant, quick));
	}

	/**
	 * How long it takes until a variant calls a stack ready of which one service was
	 * restarted.
	 * @param variant the variant
	 * @param quick whether it shall be quick
	 * @return a guess
	 */
	static Duration restart(Variant variant, boolean quick) {
		return RESTART.plus(warming(variant, quick));
	}

	private static Duration warming(Variant variant, boolean quick) {
		return Duration.ofSeconds(switch (variant.id()) {
			case "one-pass", "fixed-1" -> 2;
			case "fixed-10" -> 5;
			case "fixed-200" -> 25;
			case "fixed-1000" -> 60;
			case "fixed-5000" -> 180;
			case "mittens" -> 30;
			case "mittens-tuned" -> 10;
			case "ours", "ours-aot" -> quick ? 6 : 45;
			case "ours-replay" -> 25;
			case "steady" -> quick ? 10 : 58;
			default -> 0;
		});
	}

}
