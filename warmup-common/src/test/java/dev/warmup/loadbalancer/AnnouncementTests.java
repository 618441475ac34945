package dev.warmup.loadbalancer;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import com.github.tomakehurst.wiremock.client.WireMock;
import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/** A real gateway routes users by what real instances announce, at once. */
@Timeout(180)
class AnnouncementTests {

	private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

	private static Stub a;

	private static Stub b;

	private static RunningApplication gateway;

	private static RoutableInstances routable;

	@BeforeAll
	static void start() {
		a = Stub.named("a");
		b = Stub.named("b");
		gateway = PinningGateway.start(TimelessGateway.class, "spring.cloud.loadbalancer.retry.enabled=true",
				"spring.cloud.loadbalancer.clients.preferring.retry.avoid-previous-instance=false");
		routable = gateway.bean(RoutableInstances.class);
	}

	/** All announcements have expired. */
	@BeforeEach
	void later() {
		gateway.bean(MutableClock.class).advance(Duration.ofMinutes(15));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		a.close();
		b.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "opened", "random", "own", "weighted", "sticky", "zoned" })
	void instanceThatOpenedTakesUsersAtOnceAndStaysAmongThem(String service) {
		list(service, a.of(service));
		assertThat(users(service)).containsExactly("a");
		routable.opened(b.of(service.toUpperCase(Locale.ROOT)));
		assertThat(users(service)).containsExactly("a", "b");
		assertThat(users(service)).containsExactly("a", "b");
		routable.leaving("b", Optional.empty());
		assertThat(users(service)).containsExactly("a");
	}

	@Test
	void firstInstanceThatOpenedTakesUsersAtOnce() {
		assertThat(gateway.get("/CASED/x").statusCode()).isEqualTo(503);
		routable.opened(a.of("cased"));
		assertThat(user("CASED")).isEqualTo("a");
		routable.leaving("a", Optional.empty());
		assertThat(gateway.get("/CASED/x").statusCode()).isEqualTo(503);
	}

	@Test
	void sessionsKeepToTheirInstanceWhileAnotherOpened() {
		list("sticky", a.of("sticky"));
		routable.opened(b.of("sticky"));
		for (int i = 0; i < 20; i++) {
			assertThat(gateway.get("/sticky/x", "Cookie", "sc-lb-instance-id=a").body()).isEqualTo("a");
		}
	}

	@Test
	void sessionGoesElsewhereWhenItsInstanceIsLeaving() {
		list("sticky", a.of("sticky"), b.of("sticky"));
		routable.leaving("a", Optional.empty());
		assertThat(gateway.get("/sticky/x", "Cookie", "sc-lb-instance-id=a").body()).isEqualTo("b");
	}

	@Test
	void instanceOfAnotherZoneThatOpenedTakesNoUsers() {
		list("zoned", a.of("zoned", "localhost", Map.of("zone", "east")));
		routable.opened(b.of("zoned", "localhost", Map.of("zone", "west")));
		assertThat(users("zoned")).containsExactly("a");
	}

	@Test
	void registryDecidesOnceItListsTheInstance() {
		list("known", a.of("known"));
		routable.opened(b.of("known"));
		assertThat(users("known")).containsExactly("a", "b");
		list("known", a.of("known"), b.of("known"));
		assertThat(users("known")).containsExactly("a", "b");
		list("known", a.of("known"));
		assertThat(users("known")).containsExactly("a");
	}

	@Test
	void announcementLastsTenMinutes() {
		list("minute", a.of("minute"));
		routable.opened(b.of("minute"));
		gateway.bean(MutableClock.class).advance(TEN_MINUTES);
		assertThat(users("minute")).containsExactly("a", "b");
		gateway.bean(MutableClock.class).advance(Duration.ofMillis(1));
		assertThat(users("minute")).containsExactly("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "gone", "random", "own" })
	void userIsServedByAnotherInstanceWhenTheOneThatOpenedIsGone(String service) {
		list(service, a.of(service));
		try (CapturedLog log = CapturedLog.of(AnnouncedInstances.class)) {
			routable.opened(Stub.gone(service, "gone"));
			for (int i = 0; i < 20; i++) {
				HttpResponse<String> answer = gateway.send(HttpMethod.POST, "/" + service + "/x", "hello");
				assertThat(answer.statusCode()).isEqualTo(200);
				assertThat(answer.body()).isEqualTo("a");
			}
			assertThat(log.lines()).containsExactly(
					"INFO " + service + "/gone cannot be reached, and takes no users until the registry lists it");
		}
		a.server()
			.verify(20,
					WireMock.postRequestedFor(WireMock.urlEqualTo("/x")).withRequestBody(WireMock.equalTo("hello")));
		a.server().resetRequests();
	}

	@Test
	void registeredInstanceThatIsGoneIsNotRetried() {
		list("dead", Stub.gone("dead", "dead"));
		assertThat(gateway.get("/dead/x").statusCode()).isEqualTo(500);
		assertThat(gateway.get("/dead/x").statusCode()).isEqualTo(500);
	}

	@Test
	void pinnedRequestIsNotServedByAnother() {
		list("gone", a.of("gone"));
		ServiceInstance gone = Stub.gone("gone", "gone");
		gateway.bean(PinningGateway.Pins.class).instances().put("gone", gone);
		routable.opened(gone);
		assertThat(gateway.get("/gone/x", "Pin", "gone").statusCode()).isEqualTo(503);
		try (CapturedLog log = CapturedLog.of(AnnouncedInstances.class)) {
			assertThat(users("gone")).containsExactly("a");
			assertThat(log.lines()).as("the pinned request withdrew it").isEmpty();
		}
	}

	@Test
	void instanceThatIsLeavingTakesNoUsersAtOnceAndAgainWhenItOpens() {
		list("leaving", a.of("leaving"), b.of("leaving"));
		routable.leaving("b", Optional.empty());
		assertThat(users("leaving")).containsExactly("a");
		routable.opened(b.of("leaving"));
		assertThat(users("leaving")).containsExactly("a", "b");
	}

	@Test
	void lastInstanceThatIsLeavingTakesNoUsersEither() {
		list("last", b.of("last"));
		routable.leaving("b", Optional.empty());
		assertThat(gateway.get("/last/x").statusCode()).isEqualTo(503);
		gateway.bean(MutableClock.class).advance(Duration.ofMinutes(2).plusMillis(1));
		assertThat(user("last")).isEqualTo("b");
	}

	private static void list(String service, ServiceInstance... instances) {
		gateway.bean(Registry.class).list(service.equals("own") ? "elsewhere" : service, instances);
	}

	private static String user(String service) {
		return gateway.get("/" + service + "/x").body();
	}

	private static Set<String> users(String service) {
		Set<String> answered = new TreeSet<>();
		for (int i = 0; i < 60; i++) {
			answered.add(user(service));
		}
		return answered;
	}

}
