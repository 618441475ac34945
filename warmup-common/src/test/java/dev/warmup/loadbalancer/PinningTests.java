package dev.warmup.loadbalancer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real gateway sends pinned requests to their instance, whatever the load balancer, and
 * routes users by what instances announce, at once.
 */
class PinningTests {

	private static Stub a;

	private static Stub b;

	private static Stub c;

	private static RunningApplication gateway;

	private static RoutableInstances routable;

	@BeforeAll
	static void start() {
		a = Stub.named("a");
		b = Stub.named("b");
		c = Stub.named("c");
		gateway = PinningGateway.start(TimelessGateway.class);
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
		c.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "trio", "retried", "random", "preferring", "weighted", "sticky", "same", "own" })
	void pinnedRequestsGoToTheirInstanceEvenIfTheRegistryDoesNotListItAndUsersDoNot(String service) {
		list(service, a.of(service), b.of(service));
		pin(service + "-b", b.of(service));
		pin(service + "-c", c.of(service));
		Set<String> users = new TreeSet<>();
		for (int i = 0; i < 20; i++) {
			assertThat(pinned(service, service + "-b")).isEqualTo("b");
			assertThat(pinned(service, service + "-c")).isEqualTo("c");
			users.add(user(service));
		}
		assertThat(users).isSubsetOf("a", "b").isNotEmpty();
	}

	@Test
	void pinnedRequestsCrossZonesAndUsersDoNot() {
		list("zoned", a.of("zoned", "localhost", Map.of("zone", "east")),
				b.of("zoned", "localhost", Map.of("zone", "west")));
		pin("zoned-b", b.of("zoned", "localhost", Map.of("zone", "west")));
		for (int i = 0; i < 10; i++) {
			assertThat(pinned("zoned", "zoned-b")).isEqualTo("b");
			assertThat(user("zoned")).isEqualTo("a");
		}
		list("zoned", a.of("zoned", "localhost", Map.of("zone", "east")));
		routable.opened(b.of("zoned", "localhost", Map.of("zone", "west")));
		assertThat(users("zoned")).as("also when it opened").containsExactly("a");
	}

	@Test
	void siblingsAreOfTheSameZoneAndAreNotLeaving() {
		ServiceInstance first = b.of("zoned", "localhost", Map.of("zone", "East"));
		list("zoned", a.of("zoned", "localhost", Map.of("zone", "west")), c.of("zoned"));
		assertThat(siblings(first)).isZero();
		list("zoned", a.of("zoned", "localhost", Map.of("zone", "east")), c.of("zoned"));
		assertThat(siblings(first)).isOne();
		list("own", a.of("own"), c.of("own"));
		assertThat(siblings(b.of("own"))).as("without zones").isEqualTo(2);
		routable.deregistered("c", Optional.empty());
		assertThat(siblings(b.of("own"))).isOne();
	}

	@Test
	void sessionsStickToTheirInstanceUntilItLeavesButForPinnedRequests() {
		list("sticky", a.of("sticky"), b.of("sticky"));
		pin("sticky-c", c.of("sticky"));
		routable.opened(c.of("sticky"));
		for (int i = 0; i < 10; i++) {
			assertThat(gateway.get("/sticky/x", "Cookie", "sc-lb-instance-id=b").body()).isEqualTo("b");
			assertThat(gateway.get("/sticky/x", "Cookie", "sc-lb-instance-id=b", "Pin", "sticky-c").body())
				.isEqualTo("c");
		}
		routable.deregistered("c", Optional.empty());
		routable.deregistered("b", Optional.empty());
		assertThat(gateway.get("/sticky/x", "Cookie", "sc-lb-instance-id=b").body()).isEqualTo("a");
	}

	@Test
	void usersDoNotFollowAPinnedRequestWhereTheLastInstanceIsPreferred() {
		list("same", a.of("same"), b.of("same"));
		pin("same-a", a.of("same"));
		pin("same-b", b.of("same"));
		String preferred = user("same");
		String other = preferred.equals("a") ? "b" : "a";
		assertThat(pinned("same", "same-" + other)).isEqualTo(other);
		assertThat(user("same")).isEqualTo(preferred);
	}

	@ParameterizedTest
	@ValueSource(strings = { "trio", "gone" })
	void pinToAnInstanceThatIsGoneHasNoFallbackAndWithdrawsItsAnnouncement(String service) {
		list(service, a.of(service), b.of(service));
		ServiceInstance gone = Stub.gone(service, "gone");
		pin(service + "-gone", gone);
		routable.opened(gone);
		HttpResponse<String> answer = gateway.get("/" + service + "/x", "Pin", service + "-gone");
		assertThat(answer.statusCode()).isEqualTo(503);
		assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
		try (CapturedLog log = CapturedLog.of(AnnouncedInstances.class)) {
			assertThat(users(service)).containsExactly("a", "b");
			assertThat(log.lines()).as("the pinned request withdrew it").isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "::1", "[::1]", "0:0:0:0:0:0:0:1" })
	void instanceMayHaveAnIpv6Address(String host) throws IOException {
		Assumptions.assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null,
				"this machine has no IPv6");
		try (Stub six = Stub.at("::1", "six")) {
			pin("six", six.of("six", host, Map.of()));
			assertThat(pinned("six", "six")).isEqualTo("six");
			assertThat(gateway.get("/six/a%20b?q=%2F", "Pin", "six").body()).isEqualTo("six");
			six.server().verify(WireMock.getRequestedFor(WireMock.urlEqualTo("/a%20b?q=%2F")));
			list("six");
			routable.opened(six.of("six", host, Map.of()));
			assertThat(gateway.get("/six/a%20b?q=%2F").body()).isEqualTo("six");
			routable.deregistered("six", Optional.empty());
		}
	}

	@Test
	void instanceMayUseTlsAndHaveAContextPath() {
		try (Stub secure = Stub.secure("secure"); Stub based = Stub.named("based").below("/base/path")) {
			pin("tls", secure.of("tls"));
			assertThat(pinned("tls", "tls")).isEqualTo("secure");
			pin("based", based.of("based"));
			assertThat(pinned("based", "based")).isEqualTo("based");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "opened", "retried", "random", "weighted", "sticky", "zoned" })
	void instanceThatOpenedTakesUsersAtOnceAndStaysAmongThem(String service) {
		list(service, a.of(service));
		assertThat(users(service)).containsExactly("a");
		routable.opened(b.of(service.toUpperCase(Locale.ROOT)));
		assertThat(users(service)).containsExactly("a", "b");
		assertThat(users(service)).containsExactly("a", "b");
		routable.deregistered("b", Optional.empty());
		assertThat(users(service)).containsExactly("a");
	}

	@Test
	void instanceThatAnOwnListLeavesOutIsNotAdded() {
		list("own", a.of("own"), c.of("own"));
		routable.opened(b.of("own"));
		assertThat(users("own")).containsExactly("a", "c");
		routable.deregistered("c", Optional.empty());
		assertThat(users("own")).containsExactly("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "gone", "random" })
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
	void instanceThatIsLeavingTakesNoUsersAtOnceAndAgainWhenItOpens() {
		list("leaving", b.of("leaving"));
		routable.deregistered("b", Optional.empty());
		assertThat(gateway.get("/leaving/x").statusCode()).as("also the last one").isEqualTo(503);
		list("leaving", a.of("leaving"), b.of("leaving"));
		assertThat(users("leaving")).containsExactly("a");
		routable.opened(b.of("leaving"));
		assertThat(users("leaving")).containsExactly("a", "b");
	}

	private static void list(String service, ServiceInstance... instances) {
		gateway.bean(PinningGateway.Registry.class).list(service.equals("own") ? "elsewhere" : service, instances);
	}

	private static long siblings(ServiceInstance instance) {
		return routable.siblings(instance).blockOptional(Duration.ofSeconds(60)).orElseThrow();
	}

	private static void pin(String name, ServiceInstance instance) {
		gateway.bean(PinningGateway.Pins.class).instances().put(name, instance);
	}

	private static String pinned(String service, String pin) {
		return gateway.get("/" + service + "/x", "Pin", pin).body();
	}

	private static String user(String service) {
		return gateway.get("/" + service + "/x").body();
	}

	private static Set<String> users(String service) {
		Set<String> answered = new TreeSet<>();
		for (int i = 0; i < 20; i++) {
			answered.add(user(service));
		}
		return answered;
	}

	/** A gateway whose time the test moves. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	static class TimelessGateway extends PinningGateway {

		@Bean
		MutableClock clock() {
			return new MutableClock();
		}

		@Bean
		@Primary
		AnnouncedInstances announced(MutableClock clock) {
			return new AnnouncedInstances(clock, (instance) -> false, (service) -> {
			}, Schedulers.parallel());
		}

	}

}
