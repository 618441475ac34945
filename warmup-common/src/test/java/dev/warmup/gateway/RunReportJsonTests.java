package dev.warmup.gateway;

import java.util.stream.Stream;

import dev.warmup.protocol.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class RunReportJsonTests {

	@ParameterizedTest
	@MethodSource("reports")
	void reportSurvivesTheWayToTheGateway(RunReport report) {
		assertThat(JsonMapper.shared().readValue(Reports.json(report), RunReport.class)).isEqualTo(report);
	}

	static Stream<RunReport> reports() {
		return Stream.of(Reports.warm("chat-service", "chat-1", "run-1"),
				Reports.failed("chat-service", "chat-1", "run-2", "there is no gateway"));
	}

	@Test
	void reportHasTheNamesOfTheContract() {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", "chat-1", "run-1"));
		assertThat(report.propertyNames()).containsExactly("service", "instanceId", "phase", "gate", "run");
		assertThat(report.path("run").propertyNames()).contains("id", "trigger", "verdict", "gateway", "startedAt",
				"took", "sent", "failed", "first", "steadyP50", "steadyP95", "ratio", "jit", "classesLoaded",
				"requests");
		assertThat(report.at("/run/took").asString()).isEqualTo("PT4.12S");
		assertThat(report.at("/run/startedAt").asString()).isEqualTo("2026-11-21T08:00:00Z");
		assertThat(report.at("/run/reason").isNull()).isTrue();
	}

}
