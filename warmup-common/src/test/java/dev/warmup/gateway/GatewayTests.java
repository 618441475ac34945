package dev.warmup.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.UserActivity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a real gateway counts, logs and shows; each test has a service of its own to route
 * to.
 */
@ExtendWith(OutputCaptureExtension.class)
class GatewayTests {

	private static final List<String> SERVICES = List.of("marked", "warming", "users", "broken", "streams", "counted",
			"chat-service");

	private static final StubService SERVICE = new StubService();

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		GatewayFixture fixture = new GatewayFixture()
			.with("warmup.startup.budget=1s", "spring.jackson.property-naming-strategy=SNAKE_CASE")
			.route("direct-route", SERVICE.address(), "/direct/**")
			.route("all", "lb://marked", "/elsewhere,/.warmup/**");
		SERVICES.forEach((service) -> fixture.service(service, SERVICE.address()));
		gateway = fixture.start();
	}

	@AfterAll
	static void stop() {
		gateway.close();
		SERVICE.close();
	}

	@Test
	void claimsAreCountedAndWarmupIsTaggedOnEveryMeter() {
		long accepted = gateway.count("warmup.claims", "outcome:accepted");
		long rejected = gateway.count("warmup.claims", "outcome:rejected");
		assertThat(gateway.get("/marked/rooms", "X-Warmup", claim("marked")).body()).isEqualTo("fine");
		assertThat(requests("marked", true)).isEqualTo(1);
		assertThat(requests("marked", false)).isZero();
		assertThat(gateway.get("/marked/rooms").body()).isEqualTo("fine");
		assertThat(gateway.get("/marked/rooms", "X-Warmup", "true").body()).isEqualTo("fine");
		assertThat(requests("marked", true)).isEqualTo(1);
		assertThat(requests("marked", false)).isEqualTo(2);
		assertThat(gateway.count("warmup.claims", "outcome:accepted")).isEqualTo(accepted + 1);
		assertThat(gateway.count("warmup.claims", "outcome:rejected")).isEqualTo(rejected + 1);
		// the client may have the last byte before the gateway has recorded the request
		await(() -> gateway.count("http.server.requests", "warmup:true") > 0
				&& gateway.count("http.server.requests", "warmup:false") > 0);
	}

	@Test
	void onlyUsersCountAsActivity() {
		gateway.get("/users/rooms");
		assertThat(gateway.bean(UserActivity.class).lastUserRequest()).isPresent();
		JsonNode before = gateway.json("/actuator/warmup").at("/idle/lastUserRequest");
		gateway.get("/users/rooms", "X-Warmup", claim("users"));
		gateway.get("/.warmup/ready");
		assertThat(gateway.json("/actuator/warmup").at("/idle/lastUserRequest")).isEqualTo(before);
	}

	@Test
	void runIsLoggedFromItsFirstRequestToTheHundredthUserAfterIt(CapturedOutput output) {
		for (int i = 0; i < 60; i++) {
			gateway.get("/warming/rooms", "X-Warmup", claim("warming"));
		}
		await(() -> output.toString().contains(" WARMING"));
		assertThat(output).containsOnlyOnce("warming/warming-1 WARMING");

		report("warming");
		await(() -> output.toString().contains(" WARM startup: "));

		for (int i = 0; i < 120; i++) {
			gateway.get("/warming/rooms");
		}
		assertThat(firstUsers("warming")).isEqualTo(100);
		await(() -> output.toString().contains("first 100 user requests"));
		assertThat(output.toString()).containsOnlyOnce("warming/warming-1 WARM startup: ")
			.containsOnlyOnce("warming/warming-1 first user request after warm-up: ")
			.containsOnlyOnce("warming/warming-1 first 100 user requests after warm-up on route warming-route: ");

		JsonNode entry = entry("warming");
		assertThat(entry.propertyNames()).containsExactly("service", "instanceId", "phase", "since", "lastRun",
				"firstUserRequest", "firstUsers");
		assertThat(entry.path("phase").asString()).isEqualTo("WARM");
		assertThat(entry.at("/lastRun/id").asString()).isEqualTo("run-1");
		assertThat(Duration.parse(entry.path("firstUserRequest").asString())).isPositive();
		JsonNode users = entry.path("firstUsers");
		assertThat(users.size()).isEqualTo(1);
		assertThat(users.path(0).propertyNames()).containsExactly("route", "requests", "p50", "p99", "steadyP50",
				"ratio");
		assertThat(users.at("/0/route").asString()).isEqualTo("warming-route");
		assertThat(Duration.parse(users.at("/0/p50").asString())).isPositive();
		assertThat(users.at("/0/ratio").asDouble()).isPositive();
		assertThat(gateway.count("warmup.first.user.request", "service:warming", "route:warming-route")).isEqualTo(1);
		JsonNode timer = gateway.json("/actuator/metrics/warmup.first.user.request?tag=service:warming");
		assertThat(timer.path("description").asString("")).isNotBlank();
		assertThat(timer.at("/measurements/1/value").asDouble()).as("the total time").isPositive();
	}

	@Test
	void serverErrorToWarmupLeavesTheInstanceCold() {
		gateway.get("/broken/error", "X-Warmup", claim("broken"));
		assertThat(entry("broken").path("phase").asString()).isEqualTo("COLD");
	}

	@Test
	void streamsWebSocketsAndServerErrorsAreNotMeasured() throws IOException {
		report("streams");
		assertThat(gateway.get("/streams/error").statusCode()).isEqualTo(500);
		assertThat(firstUsers("streams")).isZero();
		try (InputStream endless = gateway.open("/streams/endless").join().body()) {
			assertThat(firstUsers("streams")).isEqualTo(1);
			CompletableFuture<HttpResponse<InputStream>> events = gateway.open("/streams/events");
			Greeting greeting = new Greeting();
			WebSocket socket = HttpClient.newHttpClient()
				.newWebSocketBuilder()
				.buildAsync(URI.create(gateway.address().replace("http:", "ws:") + "/streams/ws"), greeting)
				.join();
			assertThat(greeting.text.join()).isEqualTo("hello");
			await(() -> SERVICE.drain().stream().anyMatch((each) -> each.uri().equals("/events")));
			SERVICE.release();
			assertThat(events.join().body()).hasContent("over");
			assertThat(endless).hasContent("12");
			socket.abort();
		}
		assertThat(firstUsers("streams")).isEqualTo(1);
	}

	@Test
	void statusHasTheFieldsOfTheContractAndAGatewayThatNoServiceWarmsIsReady() {
		gateway.awaitReady();
		SERVICE.drain();
		report("chat-service");
		assertThat(SERVICE.drain()).as("a report is not routed").isEmpty();
		assertThat(gateway.get("/elsewhere").body()).isEqualTo("fine");
		JsonNode status = gateway.json("/actuator/warmup");
		assertThat(status.propertyNames()).containsExactly("service", "instanceId", "phase", "since", "gate", "runs",
				"idle", "fleet");
		assertThat(status.path("service").asString()).isEqualTo("gateway");
		assertThat(status.path("gate").asString()).isEqualTo("OPEN");
		assertThat(status.at("/idle/after").asString()).isEqualTo("PT30M");
		assertThat(status.at("/idle/next").asString()).isNotBlank();
		assertThat(status.at("/runs/0/took").asString()).isEqualTo("PT4.12S");
		assertThat(gateway.send(HttpMethod.POST, "/actuator/warmup", "").statusCode()).as("no run of its own")
			.isEqualTo(405);
	}

	private static long requests(String service, boolean warmup) {
		return gateway.count("spring.cloud.gateway.requests", "routeId:" + service + "-route", "warmup:" + warmup);
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
			.orElseGet(MissingNode::getInstance);
	}

	private static void report(String service) {
		assertThat(Reports.put(gateway, Reports.warm(service, service + "-1", "run-1"))).isEqualTo(204);
	}

	private static String claim(String service) {
		return Claims.replay(service + "-1", "run-1");
	}

	private static final class Greeting implements WebSocket.Listener {

		private final CompletableFuture<String> text = new CompletableFuture<>();

		@Override
		public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
			this.text.complete(data.toString());
			return CompletableFuture.completedStage(null);
		}

	}

}
