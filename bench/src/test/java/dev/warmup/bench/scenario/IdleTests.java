package dev.warmup.bench.scenario;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IdleTests {

	@Test
	void onlyTheRewarmedStackHasAnIdleTimer() {
		assertThat(Idle.settings(Map.of(), true)).doesNotContainEntry("WARMUP_IDLE_AFTER", "0");
		assertThat(Idle.settings(Map.of(), false)).containsEntry("WARMUP_IDLE_AFTER", "0");
	}

	@Test
	void whatTheVariantSetsIsKept() {
		assertThat(Idle.settings(Map.of("WARMUP_STARTUP_BUDGET", "9s", "GATEWAY_OPTS", "-Xshare:auto"), true))
			.containsEntry("WARMUP_STARTUP_BUDGET", "9s")
			.hasEntrySatisfying("GATEWAY_OPTS",
					(options) -> assertThat(options).startsWith("-Xshare:auto -Dserver.netty.idle-timeout="));
	}

}
