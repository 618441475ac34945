package dev.warmup.gateway;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.ClaimScope;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/** The latency of first users, and the coverage of the catalog, on a real gateway. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class FirstUsersOverHttpTests {

	private static final List<String> SERVICES = List.of("plain", "streams", "errors", "counted", "direct");

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private static StreamingService service;

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		service = new StreamingService();
		List<String> properties = new ArrayList<>(
				List.of("spring.application.name=gateway", RunningApplication.EAGER + String.join(",", SERVICES)));
		for (String name : SERVICES) {
			String instance = "spring.cloud.discovery.client.simple.instances." + name + "[0].";
			properties.add(instance + "uri=" + service.address());
			properties.add(instance + "instance-id=" + name + "-1");
			properties.add(instance + "metadata.warmup-jwk=" + Claims.jwk(name + "-1"));
			String route = "spring.cloud.gateway.server.webflux.routes[" + SERVICES.indexOf(name) + "].";
			properties.add(route + "id=" + name + "-route");
			properties.add(route + "uri=" + (name.equals("direct") ? service.address() : "lb://" + name));
			properties.add(route + "predicates[0]=Path=/" + name + "/**");
			properties.add(route + "filters[0]=StripPrefix=1");
		}
		gateway = RunningApplication.gateway(Gateway.class, properties.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		service.close();
	}

	@Test
	void firstHundredUsersAreComparedWithTheWarmupOfTheirRoute(CapturedOutput output) {
		for (int i = 0; i < 60; i++) {
			gateway.get("/plain/rooms", "X-Warmup", claim("plain"));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> entry("plain").at("/routes/0/requests").asLong() == 60);
		report("plain");
		for (int i = 0; i < 120; i++) {
			gateway.get("/plain/rooms");
		}
		awaitFirstUsers("plain", 100);
		assertThat(output.toString()).containsOnlyOnce("plain/plain-1 first user request after warm-up: ")
			.containsOnlyOnce("plain/plain-1 first 100 user requests after warm-up on route plain-route: p50 ")
			.containsPattern("on route plain-route: p50 [\\d.]+ ms \\([\\d.]+x steady\\), p99 [\\d.]+ ms"
					+ " \\([\\d.]+x steady p95\\)");
		JsonNode users = entry("plain").path("firstUsers");
		assertThat(users.size()).isEqualTo(1);
		assertThat(users.path(0).propertyNames()).containsExactly("route", "requests", "p50", "p99", "steadyP50",
				"ratio");
		assertThat(users.at("/0/route").asString()).isEqualTo("plain-route");
		assertThat(users.at("/0/requests").asInt()).isEqualTo(100);
		assertThat(Duration.parse(users.at("/0/p50").asString())).isPositive();
		assertThat(users.at("/0/ratio").asDouble()).isPositive();
		assertThat(gateway.count("warmup.first.user.request", "service:plain", "route:plain-route")).isEqualTo(1);
		assertThat(entry("plain").at("/routes/0/ratio").asDouble()).isPositive();
		for (String ratio : List.of("warmup.cold.ratio", "warmup.first.user.ratio", "warmup.truth.ratio")) {
			assertThat(gateway.count(ratio, "service:plain", "route:plain-route")).as(ratio).isEqualTo(1);
		}
	}

	@Test
	void streamsAndWebSocketsAreNotMeasured() {
		report("streams");
		CompletableFuture<HttpResponse<InputStream>> endless = CLIENT.sendAsync(request("/streams/endless"),
				BodyHandlers.ofInputStream());
		assertThat(endless.join().statusCode()).isEqualTo(200);
		awaitFirstUsers("streams", 1);
		CompletableFuture<HttpResponse<String>> events = CLIENT.sendAsync(request("/streams/events"),
				BodyHandlers.ofString());
		Greeting greeting = new Greeting();
		WebSocket socket = CLIENT.newWebSocketBuilder()
			.buildAsync(URI.create(gateway.address().replace("http:", "ws:") + "/streams/ws"), greeting)
			.join();
		assertThat(greeting.text.join()).isEqualTo("hello");
		service.letGo();
		assertThat(events.join().body()).isEqualTo("over");
		socket.abort();
		assertThat(firstUsers("streams")).isEqualTo(1);
	}

	@Test
	void serverErrorsAreNotMeasured() {
		report("errors");
		assertThat(gateway.get("/errors/error").statusCode()).isEqualTo(500);
		assertThat(firstUsers("errors")).isZero();
		gateway.get("/errors/fine");
		awaitFirstUsers("errors", 1);
	}

	@Test
	void coverageShowsWhatUsersSendAndRunsDoNot(CapturedOutput output) {
		gateway.get("/counted/rooms/1?secret=query", "X-Warmup", claim("counted"));
		gateway.get("/counted/rooms/2?secret=query");
		for (int i = 0; i < 500; i++) {
			gateway.get("/counted/rooms/" + i + "/messages?secret=query", "Authorization", "secret");
			gateway.send(HttpMethod.POST, "/counted/rooms", "secret");
		}
		gateway.get("/nowhere");
		gateway.get("/counted/refused", "X-Warmup", Claims.of("forger", "counted-1", ClaimScope.REPLAY, "run-1"));
		JsonNode coverage = gateway.json("/actuator/warmup").path("coverage");
		assertThat(coverage.propertyNames()).containsExactly("since", "requests", "covered", "share", "uncovered");
		assertThat(coverage.path("requests").asLong()).isGreaterThanOrEqualTo(1002);
		assertThat(coverage.path("covered").asLong()).isPositive();
		assertThat(coverage.path("share").asDouble()).isBetween(0.0, 1.0);
		JsonNode messages = uncovered(coverage, "GET", "/counted/rooms/{id}/messages");
		assertThat(messages.propertyNames()).containsExactly("method", "path", "requests", "entry");
		assertThat(messages.path("requests").asLong()).isBetween(1L, 500L);
		assertThat(messages.path("entry").asString()).startsWith("- GET /counted/rooms/{{id}}/messages #");
		assertThat(uncovered(coverage, "POST", "/counted/rooms").path("entry").isNull()).isTrue();
		assertThat(uncovered(coverage, "GET", "/counted/refused").path("requests").asLong()).isEqualTo(1);
		assertThat(coverage.toString()).doesNotContain("secret").doesNotContain("nowhere");
		report("counted");
		assertThat(output.toString())
			.containsPattern("coverage: the catalog covers \\d+\\.\\d % of \\d+ user requests; "
					+ "most frequent uncovered: \\S+ \\S+ \\(\\d+\\), ");
		assertThat(gateway.get("/actuator/metrics/warmup.coverage").statusCode()).isEqualTo(200);
	}

	@Test
	void directRouteIsCoveredToo() {
		gateway.get("/direct/pages", "X-Warmup", claim("direct"));
		long before = gateway.json("/actuator/warmup").at("/coverage/covered").asLong();
		gateway.get("/direct/pages");
		assertThat(gateway.json("/actuator/warmup").at("/coverage/covered").asLong()).isEqualTo(before + 1);
	}

	private static JsonNode uncovered(JsonNode coverage, String method, String path) {
		return coverage.path("uncovered")
			.valueStream()
			.filter((each) -> each.path("method").asString().equals(method)
					&& each.path("path").asString().equals(path))
			.findFirst()
			.orElseThrow(() -> new AssertionError(coverage.toString()));
	}

	private static void awaitFirstUsers(String service, int requests) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> firstUsers(service) == requests);
	}

	private static int firstUsers(String service) {
		return entry(service).at("/firstUsers/0/requests").asInt(0);
	}

	private static JsonNode entry(String service) {
		return gateway.json("/actuator/warmup")
			.path("fleet")
			.valueStream()
			.filter((each) -> each.path("instanceId").asString().equals(service + "-1"))
			.findFirst()
			.orElseThrow();
	}

	private static void report(String service) {
		HttpResponse<String> answer = gateway.send(HttpMethod.PUT, "/.warmup/runs/run-1",
				Reports.json(Reports.warm(service, service + "-1", "run-1")), "X-Warmup",
				Claims.of(service + "-1", ClaimScope.REPORT, "run-1"), "Content-Type", "application/json");
		assertThat(answer.statusCode()).isEqualTo(204);
	}

	private static String claim(String service) {
		return Claims.replay(service + "-1", "run-1");
	}

	private static HttpRequest request(String path) {
		return HttpRequest.newBuilder(URI.create(gateway.address() + path)).timeout(Duration.ofSeconds(60)).build();
	}

	private static final class Greeting implements WebSocket.Listener {

		private final CompletableFuture<String> text = new CompletableFuture<>();

		@Override
		public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
			this.text.complete(data.toString());
			return CompletableFuture.completedStage(null);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

	}

}
