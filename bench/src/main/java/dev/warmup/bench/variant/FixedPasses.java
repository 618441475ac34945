package dev.warmup.bench.variant;

import java.net.URI;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.Stack;

/**
 * A loop of a team's own: all endpoints through the gateway, one request at a time, a
 * number of times that somebody once chose.
 */
final class FixedPasses implements Unaided {

	private final Journey journey;

	private final int passes;

	/**
	 * Creates the variant.
	 * @param journey what to ask for
	 * @param passes how often
	 */
	FixedPasses(Journey journey, int passes) {
		this.journey = journey;
		this.passes = passes;
	}

	@Override
	public String id() {
		return "fixed-" + this.passes;
	}

	@Override
	public String title() {
		return this.passes + ((this.passes == 1) ? " pass" : " passes");
	}

	@Override
	public Effort warmUp(Stack stack) {
		Tally tally = new Tally();
		Browser browser = new Browser();
		URI gateway = URI.create(stack.gateway(""));
		for (int pass = 0; pass < this.passes; pass++) {
			this.journey.walk(browser, gateway, tally);
		}
		return tally.effort();
	}

}
