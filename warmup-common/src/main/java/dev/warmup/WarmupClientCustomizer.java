package dev.warmup;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Customizes the client that sends warm-up requests, such as by a filter that logs in.
 * Beans of this type are called once, at the start, in the order that
 * {@link Order @Order} or {@link Ordered} gives them. What the library sends for itself,
 * such as news, goes by another client.
 * <p>
 * A request counts as unanswered, with the error's message, where a filter fails. The
 * latency is measured behind all filters, and the request's timeout includes them. The
 * connector is replaced by one that neither follows redirects nor sends twice.
 */
@FunctionalInterface
public interface WarmupClientCustomizer {

	/** Customizes the client. */
	void customize(WebClient.Builder builder);

}
