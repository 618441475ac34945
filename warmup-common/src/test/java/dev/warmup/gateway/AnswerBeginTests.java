package dev.warmup.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.StepVerifier;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerBeginTests {

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));

	@Test
	void beginIsToldOnceAndNotBefore() {
		AtomicInteger told = new AtomicInteger();
		AnswerBegin.time(this.exchange.getResponse(), (latency) -> {
			assertThat(latency).isPositive();
			told.incrementAndGet();
		});
		assertThat(told).hasValue(0);
		complete();
		assertThat(told).hasValue(1);
	}

	@Test
	void answerIsNotHarmedByWhoIsTold() {
		try (CapturedLog log = CapturedLog.of(AnswerBegin.class)) {
			AnswerBegin.time(this.exchange.getResponse(), (latency) -> {
				throw new IllegalStateException("a listener's mistake");
			});
			complete();
			assertThat(this.exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.OK);
			assertThat(log.lines()).containsExactly("WARN A request could not be noted");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			                  |                                 | false
			                  | application/json                | false
			                  | not a type                      | false
			                  | text/event-stream               | true
			                  | TEXT/Event-Stream;charset=UTF-8 | true
			                  | application/x-ndjson            | true
			                  | application/grpc+proto          | true
			                  | multipart/x-mixed-replace; boundary=x | true
			websocket         |                                 | true
			WebSocket         | application/json                | true
			h2c               | application/json                | false
			""")
	void streamsAreKnown(String upgrade, String type, boolean stream) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.get("/rooms");
		if (upgrade != null) {
			request.header(HttpHeaders.UPGRADE, upgrade);
		}
		MockServerWebExchange begun = MockServerWebExchange.from(request);
		if (type != null) {
			begun.getResponse().getHeaders().set(HttpHeaders.CONTENT_TYPE, type);
		}
		assertThat(Streams.isStream(begun)).isEqualTo(stream);
	}

	private void complete() {
		this.exchange.getResponse().setStatusCode(HttpStatus.OK);
		StepVerifier.create(this.exchange.getResponse().setComplete()).expectComplete().verify(Duration.ofSeconds(30));
	}

}
