package dev.warmup.example.chat.server;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;

/**
 * Begins each request in a task of its own, on the event loop of its connection. Reactor
 * Netty 1.3.6 and 1.3.7 stop reading a kept-alive connection when a request that waited
 * for the one before it to end is answered before it was wholly handed over; the next
 * request on that connection is then never answered. A task of its own cannot be that
 * early. See docs/decisions/0002-embedded-database.md.
 */
@Component
class KeepAliveGuard implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> {
			Scheduler loop = Schedulers.fromExecutor(connection.channel().eventLoop());
			// here, since a server has one mapHandle: a second customizer's would replace
			// it
			return handling.contextWrite(RequestLoop.is(loop)).subscribeOn(loop);
		});
	}

}
