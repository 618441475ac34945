package dev.warmup.gateway;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class StreamsTests {

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

}
