package dev.warmup.bench.scenario;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RegisteredTests {

	private static final String FIRST = "{\"instanceId\":\"127.0.0.1:1\",\"status\":\"UP\",\"metadata\":{\"status\":\"x\"}}";

	private static final String SECOND = "{\"status\":\"%s\",\"port\":{\"$\":2},\"instanceId\":\"127.0.0.1:2\"}";

	@Test
	void statusesAreReadByInstance() {
		assertThat(listed(FIRST, SECOND.formatted("STARTING")).statuses()).containsEntry("127.0.0.1:1", "UP")
			.containsEntry("127.0.0.1:2", "STARTING")
			.hasSize(2);
	}

	@Test
	void aSingleInstanceMayStandWithoutAList() {
		assertThat(Registered.of("{\"application\":{\"instance\":%s}}".formatted(FIRST)).statuses())
			.containsOnlyKeys("127.0.0.1:1");
	}

	@Test
	void whatIsNoListOfInstancesListsNone() {
		assertThat(Registered.of("").statuses()).isEmpty();
		assertThat(Registered.of("<html>not found</html>").statuses()).isEmpty();
		assertThat(Registered.of("{\"application\":{}}").statuses()).isEmpty();
	}

	@Test
	void anInstanceHasJoinedOnceItIsUp() {
		Registered before = listed(FIRST);
		assertThat(listed(FIRST).isJoined(before)).isFalse();
		assertThat(listed(FIRST, SECOND.formatted("STARTING")).isJoined(before)).isFalse();
		assertThat(listed(FIRST, SECOND.formatted("UP")).isJoined(before)).isTrue();
	}

	private static Registered listed(String... instances) {
		return Registered.of("{\"application\":{\"name\":\"CHAT-SERVICE\",\"instance\":[%s]}}"
			.formatted(String.join(",", instances)));
	}

}
