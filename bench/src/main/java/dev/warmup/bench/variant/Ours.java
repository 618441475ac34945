package dev.warmup.bench.variant;

import java.util.List;
import java.util.Map;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/**
 * The library as it comes: {@code ./stack up} has waited until it said how warm it is.
 */
final class Ours implements Variant {

	private final Map<String, String> settings;

	/**
	 * Creates the variant.
	 * @param settings what differs from the defaults: nothing, unless there is no time
	 * for them
	 */
	Ours(Map<String, String> settings) {
		this.settings = Map.copyOf(settings);
	}

	@Override
	public String id() {
		return "ours";
	}

	@Override
	public String title() {
		return "ours";
	}

	@Override
	public Map<String, String> settings() {
		return this.settings;
	}

	@Override
	public Effort warmUp(Stack stack) {
		return sent(Answer.to("GET", stack.direct(Unaided.SERVICE, "/actuator/warmup")));
	}

	/**
	 * Adds up the runs that an instance tells of.
	 * @param answer of {@code /actuator/warmup}
	 * @return what the runs sent
	 */
	static Effort sent(Answer answer) {
		List<Map<String, Object>> runs = answer.read("$.runs");
		return runs.stream()
			.map((run) -> new Effort(number(run, "sent"), number(run, "failed")))
			.reduce(Effort.NONE, Effort::plus);
	}

	private static long number(Map<String, Object> run, String name) {
		if (run.get(name) instanceof Number number) {
			return number.longValue();
		}
		throw new IllegalStateException("a warm-up run without the number " + name + ": " + run);
	}

}
