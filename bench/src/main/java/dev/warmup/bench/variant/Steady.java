package dev.warmup.bench.variant;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Crowd;
import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.Stack;

/**
 * The limit that any warm-up can come to: a stack that was warmed, and then was under
 * load by all users' requests for a long time.
 */
final class Steady implements Variant {

	private static final int CONNECTIONS = 8;

	private final Variant begin;

	private final Journey journey;

	private final Duration load;

	/**
	 * Creates the variant.
	 * @param begin how the stack is warmed before the load
	 * @param journey what to ask for
	 * @param load how long
	 */
	Steady(Variant begin, Journey journey, Duration load) {
		this.begin = begin;
		this.journey = journey;
		this.load = load;
	}

	@Override
	public String id() {
		return "steady";
	}

	@Override
	public String title() {
		return "steady state";
	}

	@Override
	public Map<String, String> settings() {
		return this.begin.settings();
	}

	@Override
	public Effort warmUp(Stack stack) {
		Effort before = this.begin.warmUp(stack);
		Experience seen = Crowd.at(new Browser(), this.journey, URI.create(stack.gateway("")), CONNECTIONS, this.load);
		return before.plus(new Effort(seen.visits().size(), seen.errors()));
	}

}
