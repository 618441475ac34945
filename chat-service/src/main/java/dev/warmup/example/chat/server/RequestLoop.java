package dev.warmup.example.chat.server;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;

/** Keeps the event loop of each request in its Reactor context. */
@Component
class RequestLoop implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> handling
			.contextWrite((context) -> with(context, Schedulers.fromExecutor(connection.channel().eventLoop()))));
	}

	/** Puts the loop into the context, for the operators before it in the chain. */
	static Context with(Context context, Scheduler loop) {
		return context.put(RequestLoop.class, loop);
	}

	/** Returns the loop; outside of a request, {@link Schedulers#parallel()}. */
	static Scheduler of(ContextView context) {
		return context.<Scheduler>getOrEmpty(RequestLoop.class).orElseGet(Schedulers::parallel);
	}

}
