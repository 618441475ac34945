package dev.warmup.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promises 4 and 5: a stranger at the public port, or inside the network, opens, closes,
 * evicts, pins and starts nothing, and no token leaves the system.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ForgeryIT {

	private static final Pattern TOKEN = Pattern.compile("token=[\\w-]{43}");

	/** Answered by another application, by a direct route and by a balanced one. */
	private static final String OTHERS = "{ name: others, requests: [GET /direct/x, GET /recorder/x] }";

	private static final String NOTICE = "/.warmup/instances/";

	/** Each sends up to 50 a second. */
	private static final int FLOOD = 16;

	private static Stack stack;

	private static Recorder recorder;

	private static App disabled;

	@BeforeAll
	static void start() throws IOException {
		String debug = "--logging.level.dev.warmup=DEBUG";
		stack = Stacks.counted("forgery", 5, debug, "--warmup.startup.deadline=40s").gateways(0).services(0).start();
		recorder = new Recorder(stack, "recorder");
		disabled = addGateway("--warmup.enabled=false");
		addGateway(debug);
		stack.addService(Stacks.catalog("all", "{ name: rooms, requests: [GET /chat-service/rooms] }", OTHERS))
			.awaitReady(Stacks.SOON);
		gateway().awaitReady(Stacks.SOON);
		for (App each : stack.gateways()) {
			await().atMost(Stacks.SOON).until(() -> each.get(Stacks.ROOMS).status() == 200);
			await().atMost(Stacks.SOON).until(() -> each.get("/recorder/known").status() == 200);
		}
		Marks.put(stack.service());
	}

	private static App addGateway(String argument) {
		String routes = "--spring.cloud.gateway.server.webflux.routes";
		return stack.addGateway(argument, routes + "[0].id=chat-service", routes + "[0].uri=lb://CHAT-SERVICE",
				routes + "[0].predicates[0]=Path=/chat-service/**", routes + "[0].filters[0]=StripPrefix=1",
				routes + "[1].id=internal", routes + "[1].uri=no://op", routes + "[1].order=-2",
				routes + "[1].predicates[0]=Path=/*/.warmup/**", routes + "[1].filters[0]=SetStatus=404",
				routes + "[2].id=direct", routes + "[2].uri=" + recorder.url(),
				routes + "[2].predicates[0]=Path=/direct/**");
	}

	private static App gateway() {
		return stack.gateways().get(1);
	}

	@AfterAll
	static void stop() {
		recorder.close();
		stack.close();
	}

	private static Answer send(App app, String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(app.url(path)))
			.method(method, HttpRequest.BodyPublishers.noBody());
		return Answer.send((headers.length > 0) ? request.headers(headers) : request);
	}

	private static String claim(String token) {
		return "instance=%s; token=%s".formatted(Stacks.id(stack.service()), token);
	}

	@Test
	void answersOfOthersMakeNoInstanceWarm() {
		App other = stack.addService(Stacks.catalog("others", OTHERS));
		Stacks.awaitVerdict(other);
		assertThat(Stacks.verdicts(other, "STARTUP")).doesNotContain("WARM");
		assertThat(other.stop()).isTrue();
	}

	@Test
	void whatLeavesForOtherApplicationsCarriesNoTokenAndNoLogHasOne() {
		assertThat(recorder.received()).extracting(Recorder.Received::path).contains("/direct/x", "/x");
		send(gateway(), "GET", "/direct/forged", "X-Warmup", claim("A".repeat(43)));
		send(gateway(), "GET", "/direct/forged", "X-Warmup", "whatever", "X-Warmup-Gateway", "me");
		assertThat(recorder.received()).filteredOn((each) -> !each.path().startsWith("/.warmup"))
			.allSatisfy((each) -> assertThat(each.headers()).doesNotContainKeys("X-warmup", "X-warmup-gateway"));
		for (App app : List.of(gateway(), stack.service())) {
			assertThat(TOKEN.matcher(app.logText()).find()).as(app.name()).isFalse();
		}
		assertThat(stack.service().get(Stacks.WARMUP).body() + gateway().get(Stacks.WARMUP).body())
			.doesNotContainIgnoringCase("token");
	}

	@Test
	void headersAreRemovedAlsoWhereTheLibraryIsDisabled() {
		List<String> shapes = List.of("whatever", "", "instance=x", "token=x", "instance=; token=", "eyJh.e30.x");
		for (String header : shapes) {
			Answer answer = send(gateway(), "GET", Stacks.ROOMS, "X-Warmup", header);
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.headers().map()).doesNotContainKey("x-warmup-instance");
			send(disabled, "GET", "/recorder/disabled", "X-Warmup", header, "X-Warmup-Gateway", "me");
		}
		send(disabled, "GET", "/recorder/disabled", "X-Warmup", claim("A".repeat(43)));
		assertThat(recorder.received()).filteredOn((each) -> each.path().equals("/disabled"))
			.hasSize(shapes.size() + 1)
			.allSatisfy((each) -> assertThat(each.headers()).doesNotContainKeys("X-warmup", "X-warmup-gateway"));
	}

	/** As a stranger inside the network can read it. */
	@Test
	void hashOfTheTokenIsNoToken() {
		String path = "/.warmup/state?gateway=" + Stacks.id(gateway());
		assertThat(stack.service().get(path).status()).isEqualTo(404);
		Answer state = send(stack.service(), "GET", path, "X-Warmup-Gateway", Stacks.id(gateway()));
		assertThat(state.status()).isEqualTo(200);
		assertThat(state.<String>read("$.instanceId")).isEqualTo(Stacks.id(stack.service()));
		for (String token : List.of(state.<String>find("$.tokenHash").orElse("none"), state.<String>read("$.boot"))) {
			for (App app : List.of(gateway(), stack.service())) {
				Answer answer = send(app, "GET", app.equals(gateway()) ? Stacks.ROOMS : "/rooms", "X-Warmup",
						claim(token));
				assertThat(answer.headers().map()).doesNotContainKey("x-warmup-instance");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/chat-service/.warmup/state", "/chat-service//.warmup/state",
			"/chat-service/%2ewarmup/state", "/chat-service/.warmup/%73tate", "/chat-service/./.warmup/state",
			"/chat-service/.warmup/./state", "/chat-service/;x/.warmup/state", "/chat-service/.warmup;x=1/state",
			"/chat-service/.warmup/state/", "/chat-service/.warmup/state;x", "/chat-service/.WARMUP/state",
			"/chat-service/rooms/../.warmup/state", "/chat-service/rooms/%2e%2e/.warmup/state",
			"/chat-service/.warmup%2fstate", "/CHAT-SERVICE/.warmup/state", "/chat-service\\.warmup\\state" })
	void stateOfAnInstanceIsNotReachableFromOutside(String path) {
		String encoded = path.replace("\\", "%5c");
		for (App each : stack.gateways()) {
			Answer answer = send(each, "GET", encoded + "?gateway=x", "X-Warmup-Gateway", "me");
			assertThat(answer.status()).as(answer.body()).isBetween(400, 404);
			assertThat(answer.body()).doesNotContain("tokenHash");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/.warmup//instances/", "/.warmup/instances/%2e%2e/", "/.WARMUP/instances/",
			"/chat-service/.warmup/instances/", "/%2ewarmup/instances/", "/.warmup;x/instances/" })
	void noticesInOddSpellingsChangeNothing(String path) {
		send(gateway(), "POST", path + Stacks.id(stack.service()));
		assertThat(Stacks.reported(gateway(), stack.service(), "gate")).containsExactly("OPEN");
		assertThat(gateway().get(Stacks.ROOMS).status()).isEqualTo(200);
	}

	@Test
	void noticesForOthersOnlyMakeTheGatewayLookAtARateItChooses() {
		try (Traffic users = Traffic.at(gateway())) {
			for (int i = 0; i < 50; i++) {
				assertThat(gateway().post(NOTICE + Stacks.id(stack.service())).status()).isEqualTo(204);
			}
			Answer unknown = gateway().post(NOTICE + "nobody");
			assertThat(unknown.status()).isEqualTo(404);
			assertThat(unknown.headers().firstValue("Retry-After")).hasValue("1");
			Instant begin = Instant.now();
			int before = looks();
			CompletableFuture
				.allOf(IntStream.range(0, 200)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> gateway().post(NOTICE + "recorder-1")))
					.toArray(CompletableFuture<?>[]::new))
				.join();
			assertThat(looks() - before)
				.isLessThanOrEqualTo(20 + 10 * (int) Duration.between(begin, Instant.now()).toSeconds());
			assertThat(users.isCalm()).isTrue();
			assertThat(Stacks.reported(gateway(), stack.service(), "gate")).containsExactly("OPEN");
			assertThat(Stacks.verdicts(stack.service(), "MANUAL")).isEmpty();
		}
	}

	private static int looks() {
		return (int) recorder.received().stream().filter((each) -> each.path().startsWith("/.warmup")).count();
	}

	@Test
	void floodDelaysNeitherUsersNorANewcomer() {
		try (Traffic users = Traffic.at(gateway())) {
			App newcomer = stack.addService();
			AtomicInteger sent = new AtomicInteger();
			ExecutorService flood = Executors.newFixedThreadPool(FLOOD);
			try {
				IntStream.range(0, FLOOD)
					.forEach((i) -> flood.execute(() -> flood(sent, List.of(stack.service(), newcomer), flood)));
				newcomer.awaitReady(Stacks.SOON);
				users.awaitReaches(Marks.NONE);
			}
			finally {
				flood.shutdown();
			}
			assertThat(sent).hasValueGreaterThan(1000);
			assertThat(newcomer.stop()).isTrue();
		}
	}

	/** Forged tokens and notices by turns, of unknown instances and of known ones. */
	private static void flood(AtomicInteger sent, List<App> known, ExecutorService flood) {
		while (!flood.isShutdown()) {
			int number = sent.incrementAndGet() % 600;
			String id = (number % 4 < 2) ? "nowhere-" + number : Stacks.id(known.get(number / 4 % known.size()));
			if (number % 2 == 0) {
				gateway().post(NOTICE + id);
			}
			else {
				send(gateway(), "GET", "/chat-service/no-such-path", "X-Warmup",
						"instance=%s; token=%s".formatted(id, "B".repeat(43)));
			}
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
		}
	}

}
