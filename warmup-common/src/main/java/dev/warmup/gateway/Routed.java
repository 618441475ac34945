package dev.warmup.gateway;

import java.util.Locale;

import dev.warmup.protocol.Instance;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/** Where a request went, and what came of it. */
final class Routed {

	private Routed() {
	}

	/** The instance, as the load balancer chose it; none where it chose nobody. */
	static @Nullable Instance to(ServerWebExchange exchange) {
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		return (response instanceof Response<?> chosen && chosen.hasServer()
				&& chosen.getServer() instanceof ServiceInstance instance && instance.getInstanceId() != null)
						? new Instance(instance.getServiceId().toLowerCase(Locale.ROOT), instance.getInstanceId())
						: null;
	}

	/** The route's id, empty where there is none. */
	static String route(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return (route != null) ? route.getId() : "";
	}

	/** Whether the answer is a server error or none. */
	static boolean failed(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status == null || status.is5xxServerError();
	}

}
