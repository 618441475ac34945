package dev.warmup.example.gateway;

import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;

/**
 * Handles each request in a separate task on the event loop of its connection, as
 * chat-service does: otherwise an answer of the gateway itself could stop the reading of
 * a keep-alive connection (reactor-netty#4361). See
 * docs/decisions/0002-embedded-database.md.
 */
@Component
class KeepAliveGuard implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> handling
			.subscribeOn(Schedulers.fromExecutor(connection.channel().eventLoop())));
	}

}
