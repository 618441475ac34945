package dev.warmup.example.chat.server;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Lifecycle;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DelegatingIntroductionInterceptor;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.r2dbc.connection.DelegatingConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Makes a request that borrows an H2 connection from the pool continue on its own event
 * loop. The pool hands over connections on one thread at a time, and H2 answers on the
 * calling thread: without a hop, that thread would run the queries of all requests, and
 * its own connections would starve. Drivers with event loops of their own give the pool a
 * scheduler, and are not changed. See docs/decisions/0002-embedded-database.md.
 */
@Component
class ConnectionHandOver implements ConnectionFactoryDecorator {

	private static final String ANSWERS_ON_THE_CALLING_THREAD = "H2";

	@Override
	public ConnectionFactory decorate(ConnectionFactory factory) {
		return ANSWERS_ON_THE_CALLING_THREAD.equals(factory.getMetadata().getName()) ? new WithHop(factory) : factory;
	}

	private static final class WithHop extends DelegatingConnectionFactory {

		WithHop(ConnectionFactory factory) {
			super(factory);
		}

		@Override
		public Mono<? extends Connection> create() {
			return super.create().map(WithHop::add);
		}

		private static Connection add(Connection connection) {
			ProxyFactory proxy = new ProxyFactory(connection);
			proxy.addAdvice(new DelegatingIntroductionInterceptor(new Hop()));
			return (Connection) proxy.getProxy();
		}

	}

	/** The pool subscribes to it in the borrower's context. */
	private static final class Hop implements Lifecycle {

		@Override
		public Mono<Void> postAllocate() {
			return Mono.deferContextual((borrower) -> Mono.<Void>empty().publishOn(RequestLoop.of(borrower)));
		}

		@Override
		public Mono<Void> preRelease() {
			return Mono.empty();
		}

	}

}
