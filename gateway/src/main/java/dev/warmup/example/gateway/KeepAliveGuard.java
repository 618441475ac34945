package dev.warmup.example.gateway;

import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;

/**
 * Begins each request in a task of its own, on the event loop of its connection, as
 * chat-service does: what a gateway answers by itself, at once, could otherwise leave a
 * kept-alive connection unread. See docs/decisions/0002-embedded-database.md.
 */
@Component
class KeepAliveGuard implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> handling
			.subscribeOn(Schedulers.fromExecutor(connection.channel().eventLoop())));
	}

}
