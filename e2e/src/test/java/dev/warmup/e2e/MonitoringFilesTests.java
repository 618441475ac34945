package dev.warmup.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The files of the compose profile fit each other, and what reads them. */
class MonitoringFilesTests {

	private static final int COLUMNS = 24;

	@Test
	void grafanaCanLoadTheDashboard() {
		JsonNode dashboard = Monitoring.dashboard();
		assertThat(dashboard.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
		assertThat(dashboard.path("uid").asString()).isEqualTo("warmup");
		assertThat(dashboard.path("title").asString()).isNotBlank();
		assertThat(dashboard.path("id").isNull()).as("Grafana gives the id").isTrue();
		assertThat(panels()).isNotEmpty().allSatisfy((panel) -> {
			assertThat(panel.path("title").asString()).isNotBlank();
			assertThat(panel.path("description").asString()).isNotBlank();
			assertThat(panel.path("targets").valueStream().map((target) -> target.path("refId").asString()))
				.isNotEmpty()
				.doesNotHaveDuplicates();
		});
		assertThat(panels().stream().map((panel) -> panel.path("id").asInt(0))).doesNotHaveDuplicates()
			.allMatch((id) -> id > 0);
	}

	@Test
	void everythingAsksTheProvisionedSource() {
		String uid = Monitoring.yaml("grafana/provisioning/datasources/prometheus.yml")
			.at("/datasources/0/uid")
			.asString();
		JsonNode dashboard = Monitoring.dashboard();
		assertThat(dashboard.findValues("datasource")).isNotEmpty()
			.allSatisfy((source) -> assertThat(source.path("uid").asString()).isEqualTo(uid));
		Stream.of("/panels", "/annotations/list", "/templating/list")
			.flatMap((list) -> dashboard.at(list).valueStream())
			.forEach((node) -> assertThat(node.has("datasource")).as(node.toString()).isTrue());
	}

	@Test
	void panelsLieWithinTheGridAndNotUponEachOther() {
		List<JsonNode> places = panels().stream().map((panel) -> panel.path("gridPos")).toList();
		assertThat(places).allSatisfy((place) -> {
			assertThat(place.path("w").asInt()).isPositive();
			assertThat(place.path("h").asInt()).isPositive();
			assertThat(place.path("x").asInt() + place.path("w").asInt()).isBetween(1, COLUMNS);
		});
		for (JsonNode one : places) {
			assertThat(places).filteredOn((other) -> other != one).noneMatch((other) -> overlap(one, other));
		}
	}

	@Test
	void dashboardsAreMountedWhereGrafanaLooks() {
		String path = Monitoring.yaml("grafana/provisioning/dashboards/warmup.yml")
			.at("/providers/0/options/path")
			.asString();
		JsonNode grafana = Monitoring.yaml("compose.yaml").at("/services/grafana");
		assertThat(grafana.path("volumes").valueStream().map(JsonNode::asString))
			.contains("./grafana/dashboards:" + path + ":ro");
		assertThat(grafana.at("/environment/GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH").asString())
			.isEqualTo(path + "/warmup.json");
	}

	@Test
	void whatIsProvisionedIsMountedBesideTheImagesOwnDirectories() throws IOException {
		List<String> provisioned;
		try (Stream<Path> entries = Files.list(Monitoring.DIRECTORY.resolve("grafana/provisioning"))) {
			provisioned = entries.map((entry) -> entry.getFileName().toString()).toList();
		}
		assertThat(Monitoring.yaml("compose.yaml").at("/services/grafana/volumes").valueStream())
			.extracting(JsonNode::asString)
			.filteredOn((mount) -> mount.contains(":/etc/grafana/provisioning"))
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(provisioned.stream()
				.map((name) -> "./grafana/provisioning/%1$s:/etc/grafana/provisioning/%1$s:ro".formatted(name))
				.toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "prometheus", "grafana" })
	void containerIsPinnedAndReachedFromThisMachineOnly(String name) {
		JsonNode service = Monitoring.yaml("compose.yaml").at("/services/" + name);
		assertThat(service.path("profiles").valueStream().map(JsonNode::asString)).containsExactly("monitoring");
		assertThat(service.path("image").asString()).matches("\\$\\{\\w+_IMAGE:-[\\w/]+:v?\\d+\\.\\d+\\.\\d+}");
		assertThat(service.path("ports").valueStream().map(JsonNode::asString)).isNotEmpty()
			.allMatch((port) -> port.startsWith("127.0.0.1:"));
		assertThat(service.path("read_only").asBoolean()).isTrue();
		assertThat(service.path("healthcheck").has("test")).isTrue();
	}

	@Test
	void nobodyCanLogInToGrafanaWithAPasswordOthersKnow() {
		JsonNode environment = Monitoring.yaml("compose.yaml").at("/services/grafana/environment");
		assertThat(environment.path("GF_AUTH_ANONYMOUS_ORG_ROLE").asString()).isEqualTo("Viewer");
		assertThat(environment.path("GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION").asString()).isEqualTo("true");
		assertThat(environment.path("GF_AUTH_BASIC_ENABLED").asString()).isEqualTo("false");
		assertThat(environment.path("GF_USERS_ALLOW_SIGN_UP").asString()).isEqualTo("false");
	}

	@Test
	void alertsSayWhatIsWrongAndHowMuchItMatters() {
		assertThat(Monitoring.yaml("alerts.yml").at("/groups/0/rules").valueStream()).isNotEmpty()
			.allSatisfy((rule) -> {
				assertThat(rule.at("/labels/severity").asString()).isIn("info", "warning", "critical");
				assertThat(rule.at("/annotations/summary").asString()).isNotBlank();
				assertThat(rule.at("/annotations/description").asString()).isNotBlank();
				assertThat(Monitoring.text("alerts.test.yml")).contains("alertname: " + rule.path("alert").asString());
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "check config prometheus.yml", "test rules alerts.test.yml" })
	void promtoolAgrees(String arguments) throws IOException, InterruptedException {
		assumeTrue(Prometheus.isInstalled("promtool"), "promtool is not on the PATH: its part was not checked");
		Process promtool = new ProcessBuilder(
				Stream.concat(Stream.of("promtool"), Stream.of(arguments.split(" "))).toList())
			.directory(Monitoring.DIRECTORY.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(promtool.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(promtool.exitValue()).as(output).isZero();
	}

	private static List<JsonNode> panels() {
		return Monitoring.dashboard().path("panels").valueStream().toList();
	}

	private static boolean overlap(JsonNode one, JsonNode other) {
		return meet(one, other, "x", "w") && meet(one, other, "y", "h");
	}

	private static boolean meet(JsonNode one, JsonNode other, String from, String length) {
		return one.path(from).asInt() < other.path(from).asInt() + other.path(length).asInt()
				&& other.path(from).asInt() < one.path(from).asInt() + one.path(length).asInt();
	}

}
