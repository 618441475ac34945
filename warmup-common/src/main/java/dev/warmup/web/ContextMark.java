package dev.warmup.web;

import java.util.function.Function;

import dev.warmup.WarmupContext;
import reactor.util.context.Context;

/**
 * Adds one entry to a Reactor context: {@link WarmupContext} for warm-up, and one that
 * nobody looks for for users. Reactor has another class for each number of entries, and
 * what the JVM compiled for the context of warm-up it throws away when it meets another.
 *
 * @param key the entry's key
 * @param value its value
 */
record ContextMark(Class<?> key, Object value) implements Function<Context, Context> {

	/** Of a user's request. */
	static final ContextMark NONE = new ContextMark(ContextMark.class, false);

	/**
	 * Marks warm-up.
	 * @param warmup the request's mark
	 * @return what adds it
	 */
	static ContextMark of(WarmupContext warmup) {
		return new ContextMark(WarmupContext.class, warmup);
	}

	@Override
	public Context apply(Context context) {
		return context.put(this.key, this.value);
	}

}
