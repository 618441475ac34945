package dev.warmup.actuate;

import java.util.HashMap;
import java.util.Map;

import dev.warmup.WarmupContext;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;

import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTagsTests {

	private static final KeyValue WARMUP = KeyValue.of("warmup", "true");

	private static final KeyValue USER = KeyValue.of("warmup", "false");

	private static final KeyValue SYNTHETIC = KeyValue.of("user_agent.synthetic.type", "test");

	private static final WarmupContext MARK = new WarmupContext("chat-1", "run-1");

	@Test
	void reactiveWarmupIsTaggedAndItsTraceSynthetic() {
		Observation.Context context = new WarmupTags.Reactive().map(reactive(Map.of(WarmupContext.ATTRIBUTE, MARK)));
		assertThat(context.getLowCardinalityKeyValues()).containsExactly(WARMUP);
		assertThat(context.getHighCardinalityKeyValues()).containsExactly(SYNTHETIC);
	}

	@Test
	void reactiveUserIsTaggedAndItsTraceIsNot() {
		Observation.Context context = new WarmupTags.Reactive().map(reactive(new HashMap<>()));
		assertThat(context.getLowCardinalityKeyValues()).containsExactly(USER);
		assertThat(context.getHighCardinalityKeyValues()).isEmpty();
	}

	@Test
	void servletWarmupIsTaggedAndItsTraceSynthetic() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAttribute(WarmupContext.ATTRIBUTE, MARK);
		Observation.Context context = new WarmupTags.Servlet()
			.map(new ServerRequestObservationContext(request, new MockHttpServletResponse()));
		assertThat(context.getLowCardinalityKeyValues()).containsExactly(WARMUP);
		assertThat(context.getHighCardinalityKeyValues()).containsExactly(SYNTHETIC);
	}

	@Test
	void servletUserIsTaggedAndItsTraceIsNot() {
		Observation.Context context = new WarmupTags.Servlet()
			.map(new ServerRequestObservationContext(new MockHttpServletRequest(), new MockHttpServletResponse()));
		assertThat(context.getLowCardinalityKeyValues()).containsExactly(USER);
		assertThat(context.getHighCardinalityKeyValues()).isEmpty();
	}

	@Test
	void otherObservationsAreLeftAlone() {
		Observation.Context other = new Observation.Context();
		new WarmupTags.Reactive().map(other);
		new WarmupTags.Servlet().map(other);
		assertThat(other.getAllKeyValues()).isEmpty();
	}

	private static org.springframework.http.server.reactive.observation.ServerRequestObservationContext reactive(
			Map<String, Object> attributes) {
		return new org.springframework.http.server.reactive.observation.ServerRequestObservationContext(
				MockServerHttpRequest.get("/rooms").build(), new MockServerHttpResponse(), attributes);
	}

}
