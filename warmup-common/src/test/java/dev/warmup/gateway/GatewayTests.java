package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.protocol.UserActivity;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A real Spring Cloud Gateway; each test has a service of its own to route to. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class GatewayTests {

	private static final Map<String, List<String>> SERVICES = new TreeMap<>(Map.of("marked", List.of("marked-1"),
			"forwarded", List.of("forwarded-1"), "junk", List.of("junk-1", "junk-4", "junk-5", "junk-6", "junk-7"),
			"warming", List.of("warming-1"), "users", List.of("users-1"), "broken", List.of("broken-1", "broken-2"),
			"routed", List.of("routed-1"), "overflow", List.of("overflow-1"), "busy", List.of("busy-1"), "chat-service",
			List.of("chat-1", "chat-9")));

	private static final WireMockServer SERVICE = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		SERVICE.start();
		SERVICE.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		SERVICE.stubFor(WireMock.get("/broken").willReturn(WireMock.serverError()));
		gateway = RunningApplication.gateway(Gateway.class, properties());
	}

	@AfterAll
	static void stop() {
		gateway.close();
		SERVICE.stop();
	}

	private static String[] properties() {
		List<String> properties = new ArrayList<>();
		properties.add("spring.application.name=gateway");
		properties.add("warmup.startup.budget=1s");
		properties.add(RunningApplication.EAGER + String.join(",", SERVICES.keySet()));
		int routes = 0;
		for (String service : SERVICES.keySet()) {
			List<String> ids = SERVICES.get(service);
			for (int i = 0; i < ids.size(); i++) {
				String instance = "spring.cloud.discovery.client.simple.instances." + service + "[" + i + "].";
				properties.add(instance + "uri=" + SERVICE.baseUrl());
				properties.add(instance + "instance-id=" + ids.get(i));
				properties.add(instance + "metadata.warmup-jwk=" + Claims.jwk(ids.get(i)));
			}
			String route = "spring.cloud.gateway.server.webflux.routes[" + routes++ + "].";
			properties.add(route + "id=" + service + "-route");
			properties.add(route + "uri=lb://" + service);
			properties.add(route + "predicates[0]=Path=/" + service + "/**");
			properties.add(route + "filters[0]=StripPrefix=1");
		}
		String all = "spring.cloud.gateway.server.webflux.routes[" + routes + "].";
		properties.add(all + "id=all");
		properties.add(all + "uri=lb://routed");
		properties.add(all + "predicates[0]=Path=/**");
		return properties.toArray(String[]::new);
	}

	private static String claim(String instanceId, String run) {
		return Claims.replay(instanceId, run);
	}

	@Test
	void warmupIsTaggedOnEveryMeter() {
		gateway.get("/marked/rooms", "X-Warmup", claim("marked-1", "run-1"));
		assertThat(gateway.count("spring.cloud.gateway.requests", "routeId:marked-route", "warmup:true")).isEqualTo(1);
		assertThat(gateway.count("spring.cloud.gateway.requests", "routeId:marked-route", "warmup:false")).isZero();
		gateway.get("/marked/rooms");
		assertThat(gateway.count("spring.cloud.gateway.requests", "routeId:marked-route", "warmup:false")).isEqualTo(1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> gateway.count("http.server.requests", "warmup:true") > 0
					&& gateway.count("http.server.requests", "warmup:false") > 0);
	}

	@Test
	void verifiedClaimIsForwardedAndCounted() {
		long accepted = gateway.count("warmup.claims", "outcome:accepted");
		HttpResponse<String> answer = gateway.get("/forwarded/forwarded", "X-Warmup", claim("forwarded-1", "run-1"));
		assertThat(answer.body()).isEqualTo("fine");
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/forwarded"))
			.withHeader("X-Warmup", WireMock.equalTo(claim("forwarded-1", "run-1"))));
		assertThat(gateway.count("warmup.claims", "outcome:accepted")).isEqualTo(accepted + 1);
	}

	@Test
	void rejectedClaimIsCountedAndServedAsAUsers() {
		long rejected = gateway.count("warmup.claims", "outcome:rejected");
		assertThat(gateway.get("/junk/junk", "X-Warmup", "true").body()).isEqualTo("fine");
		assertThat(gateway.count("warmup.claims", "outcome:rejected")).isEqualTo(rejected + 1);
		assertThat(gateway.count("spring.cloud.gateway.requests", "routeId:junk-route", "warmup:true")).isZero();
	}

	@Test
	void onlyUsersCountAsActivity() {
		gateway.get("/junk/rooms");
		UserActivity activity = gateway.bean(UserActivity.class);
		assertThat(activity.lastUserRequest()).isPresent();
		JsonNode before = gateway.json("/actuator/warmup").at("/idle/lastUserRequest");
		gateway.get("/users/idle", "X-Warmup", claim("users-1", "run-1"));
		gateway.get("/.warmup/ready");
		assertThat(gateway.json("/actuator/warmup").at("/idle/lastUserRequest")).isEqualTo(before);
	}

	@Test
	void runIsLoggedFromItsFirstRequestToTheFirstUserAfterIt(CapturedOutput output) {
		gateway.get("/warming/rooms", "X-Warmup", claim("warming-1", "run-1"));
		gateway.get("/warming/rooms", "X-Warmup", claim("warming-1", "run-1"));
		awaitLine(output, "warming/warming-1 WARMING");
		assertThat(output).containsOnlyOnce("warming/warming-1 WARMING");

		assertThat(report(Reports.warm("warming", "warming-1", "run-1")).statusCode()).isEqualTo(204);
		assertThat(output).containsOnlyOnce("warming/warming-1 WARM startup: 600 requests in 4.1 s, 0 failed, "
				+ "first 1105 ms, steady p50 6.2 ms (178x), jit 2.3 s, +1934 classes");

		gateway.get("/warming/rooms");
		gateway.get("/warming/rooms");
		awaitLine(output, "warming/warming-1 first user request after warm-up: ");
		assertThat(output.toString().split("first user request after warm-up", -1)).hasSize(2);
		assertThat(output.toString())
			.containsPattern("warming/warming-1 first user request after warm-up: [\\d.]+ ms \\([\\d.]+x steady\\)");
		assertThat(gateway.count("warmup.first.user.request", "service:warming")).isEqualTo(1);

		JsonNode entry = entry("warming-1");
		assertThat(entry.propertyNames()).containsExactly("service", "instanceId", "phase", "since", "lastRun",
				"firstUserRequest", "firstUsers", "routes");
		assertThat(entry.path("phase").asString()).isEqualTo("WARM");
		assertThat(entry.at("/lastRun/id").asString()).isEqualTo("run-1");
		assertThat(Duration.parse(entry.path("firstUserRequest").asString())).isPositive();
		assertThat(entry.at("/routes/0/route").asString()).isEqualTo("warming-route");
		assertThat(entry.at("/routes/0/requests").asLong()).isEqualTo(2);
	}

	@Test
	void failedRunIsAWarning(CapturedOutput output) {
		report(Reports.failed("broken", "broken-1", "run-1", "GET /broken/broken 500 (expected 2xx)"));
		assertThat(output.toString()).containsPattern(
				"WARN .*broken/broken-1 FAILED startup: GET /broken/broken 500 \\(expected 2xx\\) \\(gave up after 60.0 s\\)");
	}

	@Test
	void serverErrorsToWarmupAreCountedByRoute() {
		gateway.get("/broken/broken", "X-Warmup", claim("broken-2", "run-1"));
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !entry("broken-2").path("routes").isEmpty());
		assertThat(entry("broken-2").at("/routes/0/failed").asLong()).isEqualTo(1);
		assertThat(entry("broken-2").path("phase").asString()).isEqualTo("COLD");
	}

	@Test
	void statusHasTheFieldsOfTheContract() {
		awaitReady();
		report(Reports.warm("chat-service", "chat-9", "run-9"));
		JsonNode status = gateway.json("/actuator/warmup");
		assertThat(status.propertyNames()).containsExactly("service", "instanceId", "phase", "since", "gate", "runs",
				"idle", "fleet", "coverage");
		assertThat(status.path("service").asString()).isEqualTo("gateway");
		assertThat(status.path("gate").asString()).isEqualTo("OPEN");
		assertThat(status.at("/idle/after").asString()).isEqualTo("PT30M");
		assertThat(status.at("/idle/next").asString()).isNotBlank();
		assertThat(status.at("/runs/0/took").asString()).isEqualTo("PT4.12S");
	}

	@Test
	void gatewayThatNoServiceWarmsIsReadyAfterDiscovery() {
		awaitReady();
		assertThat(gateway.json("/actuator/warmup").path("gate").asString()).isEqualTo("OPEN");
	}

	@Test
	void reportsAreNotRouted() {
		SERVICE.resetRequests();
		assertThat(report(Reports.warm("chat-service", "chat-1", "run-1")).statusCode()).isEqualTo(204);
		SERVICE.verify(0, WireMock.anyRequestedFor(WireMock.anyUrl()));
		assertThat(gateway.get("/elsewhere").body()).isEqualTo("fine");
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/elsewhere")));
	}

	@ParameterizedTest
	@MethodSource("junk")
	void invalidReportIsRejected(String what, Consumer<ObjectNode> change, CapturedOutput output) {
		ObjectNode report = Reports.tree(Reports.warm("junk", "junk-7", "run-7"));
		change.accept(report);
		assertThat(put("run-7", reporter("junk-7", "run-7"), report.toString()).statusCode()).as(what).isEqualTo(400);
		assertThat(output).doesNotContain("junk-7 WARM");
		assertThat(entry("junk-7").isMissingNode()).isTrue();
	}

	static Stream<Arguments> junk() {
		return Stream.of(junk("another run", (report) -> run(report).put("id", "run-8")),
				junk("another instance", (report) -> report.put("instanceId", "junk-8")),
				junk("a service with a line break", (report) -> report.put("service", "junk\nmallory WARM")),
				junk("a reason with a line break", (report) -> run(report).put("reason", "a\nmallory/m WARM startup")),
				junk("a reason with a carriage return", (report) -> run(report).put("reason", "a\rb")),
				junk("a reason with an escape", (report) -> run(report).put("reason", "a\u001b[2Jb")),
				junk("a reason with a next-line", (report) -> run(report).put("reason", "a\u0085b")),
				junk("a reason with a line separator", (report) -> run(report).put("reason", "a\u2028b")),
				junk("no run", (report) -> report.remove("run")), junk("no phase", (report) -> report.remove("phase")),
				junk("no service", (report) -> report.remove("service")),
				junk("no instance", (report) -> report.remove("instanceId")),
				junk("no run id", (report) -> run(report).remove("id")),
				junk("no verdict", (report) -> run(report).remove("verdict")),
				junk("no trigger", (report) -> run(report).remove("trigger")),
				junk("no time", (report) -> run(report).remove("startedAt")),
				junk("no duration", (report) -> run(report).remove("took")),
				junk("null for a duration", (report) -> run(report).putNull("jit")),
				junk("no requests", (report) -> run(report).remove("requests")),
				junk("null among the requests", (report) -> run(report).putArray("requests").addNull()),
				junk("a strange phase", (report) -> report.put("phase", "BOILING")),
				junk("text for a number", (report) -> run(report).put("sent", "many")),
				junk("an endless duration", (report) -> run(report).put("steadyP50", "PT2562047788015215H")),
				junk("a duration before zero", (report) -> run(report).put("took", "PT-1S")),
				junk("a task with a line break", (report) -> task(report).put("name", "a\nmallory/m WARM startup")),
				junk("a task with an escape", (report) -> task(report).put("name", "a\u001b[2Jb")),
				junk("a task with a long name",
						(report) -> task(report).put("name", "a".repeat(TaskRecord.LONGEST_NAME + 1))),
				junk("a task without a name", (report) -> task(report).remove("name")),
				junk("a task that took less than no time", (report) -> task(report).put("took", "PT-1S")),
				junk("a task that took for ever", (report) -> task(report).put("took", "PT2562047788015215H")),
				junk("a task that took no time", (report) -> task(report).remove("took")),
				junk("a problem with a line break", (report) -> task(report).put("problem", "a\nb")),
				junk("a long problem",
						(report) -> task(report).put("problem", "a".repeat(TaskRecord.LONGEST_PROBLEM + 1))),
				junk("too many tasks", (report) -> tasks(report, RunRecord.MAX_TASKS + 1)));
	}

	private static Arguments junk(String what, Consumer<ObjectNode> change) {
		return arguments(what, change);
	}

	private static ObjectNode run(ObjectNode report) {
		return (ObjectNode) report.path("run");
	}

	private static ObjectNode task(ObjectNode report) {
		return (ObjectNode) report.at("/run/tasks/0");
	}

	private static void tasks(ObjectNode report, int count) {
		ObjectNode task = task(report);
		ArrayNode tasks = run(report).putArray("tasks");
		for (int i = 0; i < count; i++) {
			tasks.add(task);
		}
	}

	@Test
	void tasksMayReachTheirLimits() {
		ObjectNode report = Reports.tree(Reports.warm("busy", "busy-1", "run-9"));
		task(report).put("name", "a".repeat(TaskRecord.LONGEST_NAME))
			.put("problem", "a".repeat(TaskRecord.LONGEST_PROBLEM));
		tasks(report, RunRecord.MAX_TASKS);
		assertThat(put("run-9", reporter("busy-1", "run-9"), report.toString()).statusCode()).isEqualTo(204);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "{}", "hello", "{\"run\":", "\u0000" })
	void bodyMustBeAJsonObject(String body) {
		assertThat(put("run-6", reporter("junk-6", "run-6"), body).statusCode()).isEqualTo(400);
		assertThat(entry("junk-6").isMissingNode()).isTrue();
	}

	@Test
	void reportNeedsAClaimOfTheSameRun() {
		String body = Reports.json(Reports.warm("junk", "junk-5", "run-5"));
		assertThat(put("run-5", reporter("junk-5", "run-4"), body).statusCode()).isEqualTo(400);
		assertThat(put("run-4", reporter("junk-5", "run-5"), body).statusCode()).isEqualTo(400);
		assertThat(put("run-5", reporter("junk-4", "run-5"), body).statusCode()).isEqualTo(400);
		assertThat(put("run-5", "true", body).statusCode()).isEqualTo(400);
		assertThat(gateway.send(HttpMethod.PUT, "/.warmup/runs/run-5", body).statusCode()).isEqualTo(400);
		assertThat(entry("junk-5").isMissingNode()).isTrue();
	}

	@Test
	void reportMayHave64KiBAndNoMore() {
		String id = UUID.randomUUID().toString();
		String body = Reports.json(Reports.warm("overflow", "overflow-1", id));
		String full = body + " ".repeat(RunReport.MAX_BYTES - body.length());
		String claim = reporter("overflow-1", id);
		assertThat(put(id, claim, full + " ").statusCode()).isEqualTo(413);
		assertThat(entry("overflow-1").isMissingNode()).isTrue();
		assertThat(put(id, claim, full).statusCode()).isEqualTo(204);
	}

	private static String reporter(String instanceId, String run) {
		return Claims.of(instanceId, ClaimScope.REPORT, run);
	}

	private static HttpResponse<String> report(RunReport report) {
		String id = report.run().id();
		return put(id, reporter(report.instanceId(), id), Reports.json(report));
	}

	private static HttpResponse<String> put(String id, String claim, String body) {
		return gateway.send(HttpMethod.PUT, RunReport.PATH + id, body, "X-Warmup", claim, "Content-Type",
				"application/json");
	}

	private static JsonNode entry(String instanceId) {
		return gateway.json("/actuator/warmup")
			.path("fleet")
			.valueStream()
			.filter((entry) -> entry.path("instanceId").asString().equals(instanceId))
			.findFirst()
			.orElseGet(MissingNode::getInstance);
	}

	private static void awaitReady() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> gateway.get("/.warmup/ready").statusCode() == 200);
	}

	/** The client may have the last byte before the gateway has recorded the request. */
	private static void awaitLine(CapturedOutput output, String line) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> output.toString().contains(line));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

	}

}
