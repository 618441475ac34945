package dev.warmup.traffic;

import java.util.Optional;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Marks the work of one warm-up request, so that application code can skip what must not
 * happen for it: mail, push, payment. In a reactive application it stands in the Reactor
 * context, in a servlet application in the request attribute {@link #ATTRIBUTE}; it is
 * absent for users' requests.
 *
 * @param instanceId the instance that is being warmed, as it names itself in discovery
 * @param runId the run the request belongs to
 */
public record WarmupContext(String instanceId, String runId) {

	/** Name of the request (servlet) or exchange (reactive) attribute. */
	public static final String ATTRIBUTE = WarmupContext.class.getName();

	/**
	 * Finds the mark in a Reactor context.
	 * @param context the context, such as {@code Mono.deferContextual} hands out
	 * @return the mark, or empty for a user's request
	 */
	public static Optional<WarmupContext> find(ContextView context) {
		return context.getOrEmpty(WarmupContext.class);
	}

	/**
	 * Tells whether the work at hand is done for a warm-up request.
	 * @param context the Reactor context of that work
	 * @return {@code true} for warm-up, {@code false} for a user's request
	 */
	public static boolean isWarmup(ContextView context) {
		return context.hasKey(WarmupContext.class);
	}

	/**
	 * Puts this mark into a Reactor context.
	 * @param context the context to add to
	 * @return the context with this mark
	 */
	public Context writeTo(Context context) {
		return context.put(WarmupContext.class, this);
	}

}
