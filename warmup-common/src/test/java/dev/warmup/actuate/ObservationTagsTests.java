package dev.warmup.actuate;

import java.util.List;
import java.util.Map;

import dev.warmup.WarmupContext;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class ObservationTagsTests {

	private static final WarmupContext MARK = new WarmupContext("chat-1", "run-1");

	private final ObservationFilter reactive = new WarmupActuateAutoConfiguration.ReactiveObservationConfiguration()
		.warmupReactiveTag();

	private final ObservationFilter servlet = new WarmupActuateAutoConfiguration.ServletObservationConfiguration()
		.warmupServletTag();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestsAreTaggedAndTracesOfWarmupAreSynthetic(boolean warmup) {
		Map<String, Object> attributes = warmup ? Map.of(WarmupContext.ATTRIBUTE, MARK) : Map.of();
		MockHttpServletRequest request = new MockHttpServletRequest();
		attributes.forEach(request::setAttribute);
		assertThat(List.of(
				this.reactive.map(new ServerRequestObservationContext(MockServerHttpRequest.get("/rooms").build(),
						new MockServerHttpResponse(), attributes)),
				this.servlet.map(new org.springframework.http.server.observation.ServerRequestObservationContext(
						request, new MockHttpServletResponse()))))
			.allSatisfy((context) -> {
				assertThat(context.getLowCardinalityKeyValues())
					.containsExactly(KeyValue.of("warmup", String.valueOf(warmup)));
				assertThat(context.getHighCardinalityKeyValues())
					.isEqualTo(warmup ? KeyValues.of("user_agent.synthetic.type", "test") : KeyValues.empty());
			});
	}

	@Test
	void otherObservationsAreLeftAlone() {
		assertThat(this.servlet.map(this.reactive.map(new Observation.Context())).getAllKeyValues()).isEmpty();
	}

}
