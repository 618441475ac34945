package dev.warmup;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

/** Requests at a gateway that is not running. */
public final class Exchanges {

	private Exchanges() {
	}

	/** Headers are names and values by turns. */
	public static MockServerWebExchange get(String path, String... headers) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.get(path);
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return MockServerWebExchange.from(request);
	}

	/** Has the load balancer choose an instance; returns the exchange. */
	public static <T extends ServerWebExchange> T chosen(T exchange, ServiceInstance instance) {
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, new DefaultResponse(instance));
		return exchange;
	}

}
