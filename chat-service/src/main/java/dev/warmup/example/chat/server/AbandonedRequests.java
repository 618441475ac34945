package dev.warmup.example.chat.server;

import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Carries on with a request whose client has gone until its answer would begin, as a
 * servlet container does. Otherwise it is canceled, and a query or transaction that is
 * canceled can leave its pooled connection lost, or with a transaction open in which the
 * statements of others fail (spring-framework#32115). A live stream, whose answer has
 * begun, ends with its client.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class AbandonedRequests implements WebFilter {

	/** Where Reactor looks for a handler of errors that come after a cancellation. */
	private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

	private static final Logger logger = LoggerFactory.getLogger(AbandonedRequests.class);

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return Mono.create((client) -> handle(chain.filter(exchange), exchange.getResponse(), client));
	}

	private static void handle(Mono<Void> handling, ServerHttpResponse answer, MonoSink<Void> client) {
		Consumer<Throwable> dropped = (error) -> logger.debug("The client has gone: {}", error.toString());
		Disposable handled = handling.contextWrite(Context.of(client.contextView()).put(ON_ERROR_DROPPED, dropped))
			.subscribe(null, client::error, client::success);
		client.onCancel(() -> {
			if (answer.isCommitted()) {
				handled.dispose();
			}
			else {
				answer.beforeCommit(() -> Mono.<Void>never().doOnSubscribe((begun) -> handled.dispose()));
			}
		});
	}

}
