package dev.warmup.gateway;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.StatusLine;
import dev.warmup.registry.Registered;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which instances users reach, over real HTTP. */
class UsersTests {

	private final FakeService one = new FakeService("shop", "shop-1");

	private final FakeService two = new FakeService("shop", "shop-2");

	private final TestGateway gateway = new TestGateway().route("shop", "lb://shop");

	@BeforeEach
	void start() {
		this.gateway.start();
	}

	@AfterEach
	void stop() {
		this.gateway.close();
		this.one.close();
		this.two.close();
	}

	@Test
	void noUserReachesAnInstanceWhoseGateIsClosedWhateverTheRegistryLists() {
		this.one.warming(GatePosition.CLOSED);
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.users(5, "/shop/rooms")).containsOnly("503");
		assertThat(this.one.drain()).isEmpty();
		this.gateway.registry().list(this.two.registered(Registered.Status.UP));
		assertThat(this.gateway.users(10, "/shop/rooms")).containsOnly("shop-2");
		assertThat(this.one.drain()).isEmpty();
	}

	@Test
	void usersComeWithTheNewsThatTheGateIsOpen() {
		this.one.warming(GatePosition.CLOSED);
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.get("/shop/rooms").statusCode()).isEqualTo(503);
		this.one.says((state) -> state.gate = GatePosition.OPEN);
		assertThat(this.gateway.news(this.one.instance()).statusCode()).isEqualTo(204);
		assertThat(this.gateway.users(3, "/shop/rooms")).containsOnly("shop-1");
	}

	@Test
	void aLostNoticeIsRepairedByTheNextLook() {
		this.one.warming(GatePosition.CLOSED);
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		TestGateway.await(() -> !this.gateway.fleet().entries().isEmpty());
		this.one.says((state) -> state.gate = GatePosition.OPEN);
		TestGateway.await(() -> this.gateway.get("/shop/rooms").statusCode() == 200);
	}

	@Test
	void anOpenInstanceGetsUsersAheadOfTheRegistrysCopyOnlyBesideOthers() {
		this.gateway.registry().register(this.one.registered(Registered.Status.STARTING));
		assertThat(this.gateway.news(this.one.instance()).statusCode()).isEqualTo(204);
		assertThat(this.gateway.get("/shop/rooms").statusCode()).isEqualTo(503);
		this.gateway.registry().list(this.two.registered(Registered.Status.UP));
		TestGateway.await(() -> this.gateway.users(4, "/shop/rooms").contains("shop-1"));
	}

	@Test
	void whatTheRegistryRefusesGetsNoUser() {
		this.gateway.registry().list(this.two.registered(Registered.Status.UP));
		this.gateway.registry().register(this.one.registered(Registered.Status.REFUSED));
		assertThat(this.gateway.news(this.one.instance()).statusCode()).isEqualTo(204);
		assertThat(this.gateway.users(10, "/shop/rooms")).containsOnly("shop-2");
	}

	@Test
	void whatRefusesUsersItselfGetsNone() {
		this.one.says((state) -> state.accepting = false);
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.users(3, "/shop/rooms")).containsOnly("503");
	}

	@Test
	void usersGoElsewhereFromTheLookThatFindsAnInstanceLeaving() {
		this.gateway.registry()
			.list(this.one.registered(Registered.Status.UP), this.two.registered(Registered.Status.UP));
		TestGateway.await(() -> this.gateway.fleet().entries().size() == 2);
		this.one.says((state) -> state.leaving = true);
		assertThat(this.gateway.news(this.one.instance()).statusCode()).isEqualTo(204);
		assertThat(this.gateway.users(20, "/shop/rooms")).containsOnly("shop-2");
	}

	@Test
	void leavingOutLeavesNobodyWithoutAnInstance() {
		this.one.says((state) -> {
			state.leaving = true;
			state.accepting = false; // as Spring Boot has it then
		});
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.users(3, "/shop/rooms")).containsOnly("shop-1");
	}

	@Test
	void noUserReachesTheSuccessorOfALeavingInstanceBeforeItsGateOpens() {
		this.one.says((state) -> state.leaving = true);
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.get("/shop/rooms").body()).isEqualTo("shop-1");
		this.one.warming(GatePosition.CLOSED).says((state) -> {
			state.boot = "boot-2";
			state.leaving = false;
		});
		TestGateway.await(() -> this.gateway.get("/shop/rooms").statusCode() == 503);
		this.one.drain();
		this.gateway.users(5, "/shop/rooms");
		assertThat(this.one.drain()).isEmpty();
	}

	@Test
	void aUserWhoseInstanceRefusesTheConnectionIsServedByAnother() {
		this.gateway.registry()
			.list(this.one.registered(Registered.Status.UP), this.two.registered(Registered.Status.UP));
		TestGateway.await(() -> this.gateway.fleet().entries().size() == 2);
		this.one.stop();
		assertThat(this.gateway.users(20, "/shop/rooms")).containsOnly("shop-2");
		this.one.restart();
		TestGateway.await(() -> this.gateway.users(4, "/shop/rooms").contains("shop-1"));
	}

	@Test
	void theLoadBalancersCacheKeepsNobodyFromAnInstanceThatOpensOrAtOneThatLeaves() {
		try (TestGateway cached = new TestGateway().with("spring.cloud.loadbalancer.cache.ttl=10m")
			.route("shop", "lb://shop")
			.with("spring.cloud.loadbalancer.cache.enabled=true")
			.start()) {
			cached.registry().list(this.one.registered(Registered.Status.UP));
			TestGateway.await(() -> cached.get("/shop/rooms").statusCode() == 200);
			cached.registry().register(this.two.registered(Registered.Status.STARTING));
			assertThat(cached.news(this.two.instance()).statusCode()).isEqualTo(204);
			TestGateway.await(() -> cached.users(2, "/shop/rooms").contains("shop-2"));
			this.one.says((state) -> state.leaving = true);
			assertThat(cached.news(this.one.instance()).statusCode()).isEqualTo(204);
			assertThat(cached.users(20, "/shop/rooms")).containsOnly("shop-2");
			cached.registry().list(this.two.registered(Registered.Status.UP));
			this.one.stop();
			this.two.says((state) -> state.leaving = true);
			assertThat(cached.news(this.two.instance()).statusCode()).isEqualTo(204);
			assertThat(cached.users(5, "/shop/rooms")).containsOnly("shop-2");
		}
	}

	@Test
	void anApplicationWithoutTheLibraryIsLeftAsItIs() {
		this.one.withoutLibrary();
		this.gateway.registry().list(this.one.registered(Registered.Status.UP, Map.of()));
		assertThat(this.gateway.users(3, "/shop/rooms")).containsOnly("shop-1");
		assertThat(this.gateway.fleet().entries()).isEmpty();
	}

	@Test
	void anInstanceThatDoesNotAnswerLooksKeepsUsersWaitingForTwoSecondsAtMostAndOnce() {
		this.one.slow(Duration.ofSeconds(30));
		this.gateway.registry().list(this.one.registered(Registered.Status.UP));
		assertThat(this.gateway.users(4, "/shop/rooms")).containsOnly("shop-1");
		long begin = System.nanoTime();
		this.gateway.users(10, "/shop/rooms");
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
	}

	@Test
	void anotherInstanceAtTheRegisteredAddressGetsNoUserInItsPlace() {
		this.one.says((state) -> state.id = "shop-9");
		this.gateway.registry()
			.list(this.one.registered(Registered.Status.UP), this.two.registered(Registered.Status.UP));
		assertThat(this.gateway.news(this.one.instance()).statusCode()).isEqualTo(502);
		assertThat(this.gateway.users(10, "/shop/rooms")).containsOnly("shop-2");
	}

	@Test
	void theLogFollowsAnInstanceFromItsRunToItsFirstUser() {
		this.gateway.registry().list(this.two.registered(Registered.Status.UP));
		TestGateway.await(() -> this.gateway.fleet().entries().size() == 1);
		try (CapturedLog log = CapturedLog.of(StatusLine.LOGGER)) {
			this.one.warming(GatePosition.CLOSED);
			this.gateway.registry().register(this.one.registered(Registered.Status.STARTING));
			this.gateway.news(this.one.instance());
			this.one.says((state) -> state.gate = GatePosition.OPEN);
			this.gateway.news(this.one.instance());
			this.one.warm();
			this.gateway.news(this.one.instance());
			this.gateway.news(this.one.instance());
			TestGateway.await(() -> this.gateway.users(2, "/shop/rooms").contains("shop-1"));
			this.gateway.users(4, "/shop/rooms");
			this.one.says((state) -> state.leaving = true);
			this.gateway.news(this.one.instance());
			TestGateway.await(() -> log.lines().contains("INFO shop/shop-1 left"));
			List<String> lines = log.lines().stream().filter((line) -> line.contains("shop-1")).toList();
			assertThat(lines).hasSize(5);
			assertThat(lines.get(0)).isEqualTo("INFO shop/shop-1 WARMING");
			assertThat(lines.get(1))
				.isEqualTo("INFO shop/shop-1 takes users after 10.0 s: 412 requests, 0 failed, p50 7.5 ms");
			assertThat(lines.get(2)).startsWith("INFO shop/shop-1 WARM startup: 412 requests in 10.0 s, 0 failed");
			assertThat(lines.get(3)).startsWith("INFO shop/shop-1 first user request after warm-up: ");
			assertThat(Collections.frequency(lines, "INFO shop/shop-1 left")).isOne();
		}
	}

}
