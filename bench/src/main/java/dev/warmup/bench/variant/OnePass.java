package dev.warmup.bench.variant;

import java.net.URI;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/**
 * Each service calls itself once: the chat-service all of its endpoints, the gateway its
 * own health.
 */
final class OnePass implements Unaided {

	private static final int OK = 200;

	private final Journey journey;

	/**
	 * Creates the variant.
	 * @param journey what to ask for, through the gateway
	 */
	OnePass(Journey journey) {
		this.journey = journey.without("/chat-service");
	}

	@Override
	public String id() {
		return "one-pass";
	}

	@Override
	public String title() {
		return "one pass each";
	}

	@Override
	public Effort warmUp(Stack stack) {
		Tally tally = new Tally();
		this.journey.walk(new Browser(), URI.create(stack.direct(SERVICE, "")), tally);
		tally.count(Answer.to("GET", stack.gateway("/actuator/health")).status() == OK);
		return tally.effort();
	}

}
