package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.UserActivity;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupGlobalFilterTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final Fleet fleet = new Fleet(Clock.systemUTC());

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));

	WarmupGlobalFilterTests() {
		this.fleet.reported(Reports.warm("chat", "chat-1", "run-1"));
		this.exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR,
					new DefaultResponse(new DefaultServiceInstance("chat-1", "CHAT", "127.0.0.1", 80, false)));
	}

	@Test
	void aListenersMistakeDoesTheAnswerNoHarm() {
		try (CapturedLog log = CapturedLog.of(FirstUserRecorder.class)) {
			answer(new GatewayListener() {

				@Override
				public void onFirstUserRequest(Instance instance, String route, Duration latency,
						BaselineLatency steady) {
					throw new IllegalStateException("a listener's mistake");
				}

			});
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(log.lines()).containsExactly("WARN A request could not be noted"));
		}
	}

	@Test
	void listenersAreToldOnAnotherThreadThanTheUsers() {
		AtomicReference<Thread> told = new AtomicReference<>();
		answer(new GatewayListener() {

			@Override
			public void onFirstUserRequest(Instance instance, String route, Duration latency, BaselineLatency steady) {
				told.set(Thread.currentThread());
			}

		});
		Awaitility.await().atMost(PATIENCE).until(() -> told.get() != null);
		assertThat(told.get()).isNotSameAs(Thread.currentThread());
	}

	private void answer(GatewayListener listener) {
		WarmupGlobalFilter filter = new WarmupGlobalFilter((claim) -> Mono.error(new AssertionError("a user's")),
				this.fleet, new UserActivity(Clock.systemUTC()), List.of(listener), () -> {
					throw new AssertionError("a user's");
				});
		StepVerifier.create(filter.filter(this.exchange, (routed) -> {
			routed.getResponse().setStatusCode(HttpStatus.OK);
			return routed.getResponse().setComplete();
		})).expectComplete().verify(PATIENCE);
		assertThat(this.exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.OK);
	}

}
