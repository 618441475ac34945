package dev.warmup;

import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;

/**
 * Keeps Reactor Netty 1.3.6 from losing requests of the tests' kept-alive connections.
 * See docs/decisions/0002-embedded-database.md.
 */
public class KeepAliveGuard implements NettyServerCustomizer {

	@Override
	public HttpServer apply(HttpServer server) {
		return server.mapHandle((handling, connection) -> handling
			.subscribeOn(Schedulers.fromExecutor(connection.channel().eventLoop())));
	}

}
