package dev.warmup.web;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/** Both filters that answer a startup probe. */
class ReadyFilterTests {

	private final AtomicBoolean ready = new AtomicBoolean();

	private final AtomicBoolean passedOn = new AtomicBoolean();

	private final ReadyWebFilter webFilter = new ReadyWebFilter(this.ready::get);

	private final ReadyServletFilter servletFilter = new ReadyServletFilter(this.ready::get);

	@Test
	void theReactiveProbeTurnsWhenTheApplicationIsReady() {
		assertThat(reactive("GET", "/.warmup/ready").getResponse().getStatusCode())
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		this.ready.set(true);
		assertThat(reactive("GET", "/.warmup/ready").getResponse().getStatusCode()).isEqualTo(HttpStatus.OK);
		assertThat(this.passedOn).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "POST, /.warmup/ready", "GET, /.warmup", "GET, /.warmup/ready/x", "GET, /ready", "GET, /" })
	void otherRequestsPassTheReactiveProbe(String method, String path) {
		reactive(method, path);
		assertThat(this.passedOn).isTrue();
	}

	@Test
	void theServletProbeTurnsWhenTheApplicationIsReady() throws ServletException, IOException {
		assertThat(servlet("GET").getStatus()).isEqualTo(503);
		this.ready.set(true);
		assertThat(servlet("GET").getStatus()).isEqualTo(200);
		assertThat(this.passedOn).isFalse();
	}

	@Test
	void otherMethodsPassTheServletProbe() throws ServletException, IOException {
		servlet("POST");
		assertThat(this.passedOn).isTrue();
	}

	@Test
	void bothComeAheadOfTheFilterThatWindsTheIdleClock() {
		assertThat(this.webFilter.getOrder()).isLessThan(WarmupWebFilter.ORDER);
		assertThat(ReadyServletFilter.ORDER).isLessThan(WarmupServletFilter.ORDER);
	}

	private MockServerWebExchange reactive(String method, String path) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(HttpMethod.valueOf(method), path));
		StepVerifier.create(this.webFilter.filter(exchange, (next) -> Mono.fromRunnable(() -> this.passedOn.set(true))))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		return exchange;
	}

	private MockHttpServletResponse servlet(String method) throws ServletException, IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.servletFilter.doFilter(new MockHttpServletRequest(method, "/.warmup/ready"), response,
				(request, next) -> this.passedOn.set(true));
		return response;
	}

}
