package dev.warmup.web;

import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Marks what a {@code WebClient} sends within a warm-up request, found in the Reactor
 * context or else at the thread of a servlet request: header {@value WarmupClaim#HEADER}
 * without a token. Leaves alone what users ask for, and a request that has the header.
 */
public final class WebClientMark implements ExchangeFilterFunction {

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		if (request.headers().containsHeader(WarmupClaim.HEADER)) {
			return next.exchange(request);
		}
		return Mono.deferContextual((context) -> {
			Optional<WarmupContext> warmup = WarmupContext.find(context).or(WarmupContext::current);
			return next.exchange(warmup.map((mark) -> marked(request, mark)).orElse(request));
		});
	}

	private static ClientRequest marked(ClientRequest request, WarmupContext mark) {
		return ClientRequest.from(request).header(WarmupClaim.HEADER, WarmupClaim.mark(mark).format()).build();
	}

}
