package dev.warmup.example.chat.server;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;

/**
 * Handles each request in a separate task on the event loop of its connection. Reactor
 * Netty 1.3.6 and 1.3.7 can stop reading a keep-alive connection when a queued request is
 * answered within the call that takes it from the queue; the next request on that
 * connection is then never answered (reactor-netty#4361). A separate task runs after that
 * call. See docs/decisions/0002-embedded-database.md.
 */
@Component
class KeepAliveGuard implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> {
			Scheduler loop = Schedulers.fromExecutor(connection.channel().eventLoop());
			// a server has only one mapHandle, so the context is set here too
			return handling.contextWrite(RequestLoop.is(loop)).subscribeOn(loop);
		});
	}

}
