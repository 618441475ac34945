package dev.warmup;

import java.util.Optional;

import reactor.util.context.ContextView;

import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Marks the work of one warm-up request, so that application code can skip what must not
 * happen for it: mail, push, payment. It is in the Reactor context in a reactive
 * application, and in a servlet application in the request attribute {@link #ATTRIBUTE};
 * it is absent for users' requests. Requests that some of the application's clients send
 * in the meantime carry it as a header; which ones, see docs/adopt.md, section 5.
 *
 * @param instanceId the instance that is being warmed, as it names itself in discovery
 * @param runId the run the request belongs to
 */
public record WarmupContext(String instanceId, String runId) {

	/** Name of the request (servlet) or exchange (reactive, and gateway) attribute. */
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
	 * Finds the mark of the servlet request that this thread is working for.
	 * @return the mark, or empty for a user's request, on a thread that no request is
	 * bound to or whose request is over, and everywhere in a reactive application
	 */
	public static Optional<WarmupContext> current() {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		if (request == null) {
			return Optional.empty();
		}
		try {
			return Optional.ofNullable(request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST))
				.map(WarmupContext.class::cast);
		}
		catch (IllegalStateException ex) { // the request is over: so is its warm-up
			return Optional.empty();
		}
	}

	/**
	 * Returns whether the work at hand is done for a warm-up request.
	 * @param context the Reactor context of that work
	 * @return {@code true} for warm-up, {@code false} for a user's request
	 */
	public static boolean isWarmup(ContextView context) {
		return context.hasKey(WarmupContext.class);
	}

}
