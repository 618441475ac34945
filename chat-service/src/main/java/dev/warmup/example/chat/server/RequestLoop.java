package dev.warmup.example.chat.server;

import java.util.function.Function;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The event loop of the request that is being handled, kept in its Reactor context. */
final class RequestLoop {

	private RequestLoop() {
	}

	/** Has whatever comes before in the chain know its loop. */
	static Function<Context, Context> is(Scheduler loop) {
		return (context) -> context.put(RequestLoop.class, loop);
	}

	/** Returns the loop; where there is no request, {@link Schedulers#parallel()}. */
	static Scheduler of(ContextView context) {
		return context.<Scheduler>getOrEmpty(RequestLoop.class).orElseGet(Schedulers::parallel);
	}

}
