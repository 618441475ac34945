package dev.warmup.bench.variant;

import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.stack.Stack;

/**
 * What is done between the start of the stack's processes and its first user. A variant
 * is one class; {@link Variants} lists them.
 */
public interface Variant {

	/**
	 * Names it in results and on the command line.
	 * @return lower-case words joined by hyphens
	 */
	String id();

	/**
	 * Names it in tables and charts.
	 * @return a few words
	 */
	String title();

	/**
	 * Tells why it cannot be had on this machine.
	 * @return the reason, a sentence for the results; empty when it can be had
	 */
	default Optional<String> missing() {
		return Optional.empty();
	}

	/**
	 * What the stack is started with.
	 * @return environment variables for {@code ./stack}
	 */
	Map<String, String> settings();

	/**
	 * Prepares once for all rounds what the settings need, such as a trained cache.
	 * Blocks.
	 */
	default void prepare() {
	}

	/**
	 * Warms a stack whose processes have just answered, until this variant would call it
	 * ready for users. Blocks.
	 * @param stack the running stack
	 * @return what was sent; the processes' own warm-up is asked for what it did
	 */
	Effort warmUp(Stack stack);

}
