package dev.warmup.example.chat.server;

import java.util.function.Function;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The event loop of the current request, kept in the Reactor context. */
final class RequestLoop {

	private RequestLoop() {
	}

	/** Puts the loop into the context, for the operators before it in the chain. */
	static Function<Context, Context> is(Scheduler loop) {
		return (context) -> context.put(RequestLoop.class, loop);
	}

	/** Returns the loop; outside of a request, {@link Schedulers#parallel()}. */
	static Scheduler of(ContextView context) {
		return context.<Scheduler>getOrEmpty(RequestLoop.class).orElseGet(Schedulers::parallel);
	}

}
