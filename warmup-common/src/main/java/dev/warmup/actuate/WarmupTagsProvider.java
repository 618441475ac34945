package dev.warmup.actuate;

import dev.warmup.WarmupContext;
import io.micrometer.core.instrument.Tags;

import org.springframework.cloud.gateway.support.tagsprovider.GatewayTagsProvider;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tags the gateway's own request timer with {@code warmup}, always, as a registry may
 * demand.
 */
public final class WarmupTagsProvider implements GatewayTagsProvider {

	@Override
	public Tags apply(ServerWebExchange exchange) {
		return Tags.of(WarmupTag.NAME, String.valueOf(exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)));
	}

}
