package dev.warmup;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Marks the work of one warm-up request, so that application code can skip what must not
 * happen for it: mail, push, payment. It is absent for users' requests.
 * <p>
 * A reactive application finds it in the Reactor context, a servlet application at the
 * thread of the request and in the request attribute {@link #ATTRIBUTE}. Where Micrometer
 * Context Propagation is on the class path, it follows the work across threads as a trace
 * does: into executors that propagate context, and with
 * {@code spring.reactor.context-propagation=auto} into reactive code, where
 * {@link #current()} then finds it, too. It does not leave the application.
 *
 * @param instanceId the instance that is being warmed, by its name in discovery
 * @param runId the run the request belongs to
 */
public record WarmupContext(String instanceId, String runId) {

	/** Name of the request (servlet) or exchange (reactive) attribute. */
	public static final String ATTRIBUTE = WarmupContext.class.getName();

	private static final ThreadLocal<@Nullable WarmupContext> CURRENT = new ThreadLocal<>();

	/**
	 * Finds the mark in a Reactor context.
	 * @param context the context, such as {@code Mono.deferContextual} hands out
	 * @return the mark, or empty for a user's request
	 */
	public static Optional<WarmupContext> find(ContextView context) {
		return context.getOrEmpty(WarmupContext.class);
	}

	/**
	 * Finds the mark of what this thread is working on.
	 * @return the mark, or empty for a user's request, and on a thread to which the
	 * request's context was not propagated
	 */
	public static Optional<WarmupContext> current() {
		return Optional.ofNullable(CURRENT.get());
	}

	/**
	 * Returns whether the work at hand is done for a warm-up request.
	 * @param context the Reactor context of that work
	 * @return {@code true} for warm-up, {@code false} for a user's request
	 */
	public static boolean isWarmup(ContextView context) {
		return context.hasKey(WarmupContext.class);
	}

	/**
	 * Marks what this thread does until the scope is closed, on this same thread.
	 * @return to be closed in a {@code finally} or by try-with-resources
	 */
	public Scope open() {
		WarmupContext previous = CURRENT.get();
		CURRENT.set(this);
		return () -> restore(previous);
	}

	/** The mark of this thread is that one from now on, or none. */
	static void restore(@Nullable WarmupContext context) {
		if (context != null) {
			CURRENT.set(context);
		}
		else {
			CURRENT.remove();
		}
	}

	/** How long a thread works for a warm-up request. */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		/** Restores what the thread worked on before. */
		@Override
		void close();

	}

}
