package dev.warmup.bench.result;

import java.util.Optional;

/**
 * What the product promises, held against what was measured.
 *
 * @param scenario what it is about
 * @param text the promise
 * @param verdict whether it is kept
 * @param figures what the verdict rests on, or what is missing for one
 */
public record Goal(String scenario, String text, Verdict verdict, String figures) {

	static Goal judged(String scenario, String text, boolean met, String figures) {
		return new Goal(scenario, text, met ? Verdict.MET : Verdict.MISSED, figures);
	}

	static Goal notMeasured(String scenario, String text) {
		return notMeasured(scenario, text, "");
	}

	static Goal notMeasured(String scenario, String text, String figures) {
		return new Goal(scenario, text, Verdict.NOT_MEASURED, figures);
	}

	static Goal orNotMeasured(Optional<Goal> goal, String scenario, String text) {
		return goal.orElseGet(() -> notMeasured(scenario, text));
	}

	/** Whether a goal is met. */
	public enum Verdict {

		/** It is. */
		MET("met"),

		/** It is not. */
		MISSED("missed"),

		/** Figures are missing. */
		NOT_MEASURED("not measured");

		private final String words;

		Verdict(String words) {
			this.words = words;
		}

		/**
		 * Says it.
		 * @return one or two words
		 */
		public String words() {
			return this.words;
		}

	}

}
