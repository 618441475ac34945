package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway's asking over real HTTP; the time of pauses and budgets is moved by hand. */
class GatewayWarmupTests {

	private static final Instance SELF = new Instance("gateway", "gateway-1");

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock);

	private final UserActivity idleClock = new UserActivity(this.clock);

	private final WarmupToken token = WarmupToken.random();

	private final List<WireMockServer> servers = new ArrayList<>();

	private final Map<String, List<ServiceInstance>> registry = new LinkedHashMap<>();

	private final AtomicBoolean reached = new AtomicBoolean(true);

	private final AtomicInteger looks = new AtomicInteger();

	private final AtomicInteger openings = new AtomicInteger();

	private Gate gate = gate(GatePosition.OPEN);

	private GatewayWarmup warmup = warmup();

	@AfterEach
	void stop() {
		this.warmup.destroy();
		this.servers.forEach(WireMockServer::stop);
	}

	@Test
	void serviceIsAskedOnceAndTheGateOpensWithItsReport() {
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitAsks(chat, 1);
		LoggedRequest ask = asks(chat).get(0);
		assertThat(ask.getUrl()).isEqualTo("/.warmup/gateways/gateway-1?trigger=startup");
		assertThat(ask.getHeader("X-Warmup")).startsWith("instance=gateway-1; token=" + this.token.value() + "; run=");
		assertThat(this.gate.isOpen()).isFalse();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
		lookAgain();
		assertThat(asks(chat)).hasSize(1);
	}

	@Test
	void serviceMayGoByAnotherNameInItsReports() {
		WireMockServer chat = instance("chat", "chat-1");
		starts(chat, "run-1");
		start();
		awaitAsks(chat, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
		lookAgain();
		assertThat(asks(chat)).hasSize(1);
		this.clock.advance(Duration.ofMinutes(30));
		lookAgain();
		awaitAsks(chat, 2);
	}

	@Test
	void contextPathOfTheInstanceIsKept() {
		WireMockServer chat = instance("chat-service", "chat-1");
		this.registry.get("chat-service").get(0).getMetadata().put("warmup-base-path", "/base");
		start();
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> chat.getAllServeEvents()
				.stream()
				.anyMatch((event) -> event.getRequest().getUrl().startsWith("/base/.warmup/gateways/gateway-1?")));
	}

	@Test
	void everyServiceIsAskedForItselfTwoAtATime() {
		WireMockServer chat = instance("chat-service", "chat-1");
		WireMockServer rooms = instance("room-service", "room-1");
		WireMockServer mail = instance("mail-service", "mail-1");
		starts(chat, "run-1");
		starts(rooms, "run-2");
		starts(mail, "run-3");
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			start();
			awaitAsks(chat, 1);
			awaitAsks(mail, 1);
			Awaitility.await().during(Duration.ofSeconds(2)).until(() -> asks(rooms).isEmpty());
			this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
			awaitAsks(rooms, 1);
			this.fleet.reported(Reports.warm("mail-service", "mail-1", "run-3"));
			assertThat(this.gate.isOpen()).isFalse();
			this.clock.advance(Duration.ofSeconds(4));
			this.fleet.reported(Reports.warm("room-service", "room-1", "run-2"));
			awaitOpen();
			assertThat(log.lines()).contains(
					"INFO Warming through this gateway: 3 services (chat-service, mail-service, room-service), at most 60 s",
					"INFO gateway/gateway-1 READY: warmed through by 3 of 3 services in 4.0 s");
		}
	}

	@Test
	void anotherInstanceIsAskedWhenOneIsBusyOrGone() {
		WireMockServer busy = instance("chat-service", "chat-1");
		WireMockServer gone = instance("chat-service", "chat-2");
		WireMockServer free = instance("chat-service", "chat-3");
		answers(busy, 409);
		gone.stubFor(WireMock.any(WireMock.anyUrl())
			.willReturn(WireMock.aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		starts(free, "run-1");
		start();
		awaitAsks(free, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-3", "run-1"));
		awaitOpen();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "fine", "{\"run\":null}", "[" })
	void answerThatNamesNoRunIsNone(String body) {
		WireMockServer chat = instance("chat-service", "chat-1");
		chat.stubFor(WireMock.post(WireMock.anyUrl()).willReturn(WireMock.jsonResponse(body, 202)));
		try (CapturedLog log = CapturedLog.of(GatewayWarmupSchedule.class)) {
			start();
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> log.lines().size() == 1);
			assertThat(log.lines().get(0))
				.startsWith("INFO Not warming through this gateway yet: chat-service/chat-1 ");
		}
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void busyServiceIsAskedAgainAfterAPause() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 409);
		start();
		awaitAsks(chat, 1);
		lookAgain();
		assertThat(asks(chat)).hasSize(1);
		this.clock.advance(GatewayWarmupRequest.FIRST_PAUSE);
		awaitAsks(chat, 2);
	}

	@Test
	void runThatReportsNothingIsGivenUpAndAskedForAgain() {
		this.warmup.destroy();
		this.warmup = warmup(Duration.ofMillis(300));
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitAsks(chat, 1);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			this.clock.advance(GatewayWarmupRequest.LONGEST_PAUSE);
			return asks(chat).size() > 1;
		});
	}

	@Test
	void failedRunIsAskedForAgain() {
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitAsks(chat, 1);
		starts(chat, "run-2");
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no way"));
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			this.clock.advance(Duration.ofSeconds(1));
			return asks(chat).size() > 1;
		});
		assertThat(this.clock.instant()).isBefore(MutableClock.START.plus(BUDGET));
		assertThat(this.gate.isOpen()).isFalse();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		awaitOpen();
	}

	@Test
	void serviceThatWarmedThroughTheGatewayByItselfIsNotAsked() {
		WireMockServer chat = instance("chat-service", "chat-1");
		this.fleet.reported(Reports.warm("CHAT-SERVICE", "chat-1", "run-1"));
		start();
		awaitOpen();
		lookAgain();
		assertThat(asks(chat)).isEmpty();
	}

	@Test
	void gateOpensWhenTheBudgetIsOver() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 503);
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			start();
			awaitAsks(chat, 1);
			this.clock.advance(BUDGET.minusSeconds(1));
			lookAgain();
			assertThat(this.gate.isOpen()).isFalse();
			this.clock.advance(Duration.ofSeconds(1));
			awaitOpen();
			assertThat(log.lines()).contains(
					"INFO gateway/gateway-1 READY: warmed through by 0 of 1 services in 60.0 s; chat-service not at all");
		}
	}

	@Test
	void closedPolicyKeepsTheGateClosedUntilAllAreWarm() {
		this.warmup.destroy();
		this.gate = gate(GatePosition.CLOSED);
		this.warmup = warmup();
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 503);
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			start();
			awaitAsks(chat, 1);
			this.clock.advance(BUDGET);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> log.lines()
					.stream()
					.anyMatch((line) -> line.contains("gateway-1 NOT READY, as a failure")));
			lookAgain();
			assertThat(this.gate.isOpen()).isFalse();
			assertThat(log.lines().stream().filter((line) -> line.contains("NOT READY"))).hasSize(1);
		}
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
		assertThat(this.openings).hasValue(1);
	}

	@Test
	void gatewayWithoutServicesIsReadyAtOnce() {
		start();
		awaitOpen();
		assertThat(this.clock.instant()).isEqualTo(MutableClock.START);
	}

	@Test
	void serviceWithoutTheLibraryIsIgnoredAndSoIsTheGatewayItself() {
		WireMockServer plain = instance("plain-service", "plain-1");
		this.registry.get("plain-service").get(0).getMetadata().clear();
		WireMockServer self = instance("GATEWAY", "gateway-2");
		start();
		awaitOpen();
		lookAgain();
		assertThat(asks(plain)).isEmpty();
		assertThat(asks(self)).isEmpty();
	}

	@Test
	void serviceThatDoesNotWarmHoldsNobodyUpAndIsLeftAlone() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 404);
		try (CapturedLog log = CapturedLog.of(GatewayWarmupSchedule.class)) {
			start();
			awaitAsks(chat, 1);
			awaitOpen();
			this.clock.advance(GatewayWarmupRequest.REST.minusSeconds(1));
			lookAgain();
			assertThat(asks(chat)).hasSize(1);
			this.clock.advance(Duration.ofSeconds(1));
			awaitAsks(chat, 2);
			lookAgain();
			assertThat(log.lines())
				.containsExactly("INFO Not warming through this gateway yet: chat-service/chat-1 does not warm (404)");
		}
	}

	@Test
	void gatewayThatIsNotBelievedYetAsksSixTimesAndThenRarely() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 403);
		start();
		for (int i = 1; i <= 6; i++) {
			awaitAsks(chat, i);
			lookAgain();
			assertThat(asks(chat)).hasSize(i);
			this.clock.advance(Duration.ofSeconds(40));
		}
		lookAgain();
		assertThat(asks(chat)).hasSize(6);
	}

	@Test
	void registryThatWasNeverReachedIsWaitedForWithinTheBudget() {
		this.reached.set(false);
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.looks.get() > 2);
		assertThat(this.gate.isOpen()).isFalse();
		this.reached.set(true);
		awaitAsks(chat, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
	}

	@Test
	void gateOpensWithoutTheRegistryWhenTheBudgetIsOver() {
		this.reached.set(false);
		start();
		this.clock.advance(BUDGET);
		awaitOpen();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void idleGatewayIsWarmedAgain(boolean user) {
		WireMockServer chat = instance("chat-service", "chat-1");
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		starts(chat, "run-2");
		start();
		awaitOpen();
		this.clock.advance(Duration.ofMinutes(29));
		if (user) {
			this.idleClock.touch();
		}
		this.clock.advance(Duration.ofMinutes(1));
		lookAgain();
		if (user) {
			assertThat(asks(chat)).isEmpty();
			this.clock.advance(Duration.ofMinutes(29));
			lookAgain();
		}
		awaitAsks(chat, 1);
		assertThat(asks(chat).get(0).getUrl()).endsWith("?trigger=idle");
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		lookAgain();
		this.clock.advance(Duration.ofMinutes(29));
		lookAgain();
		assertThat(asks(chat)).hasSize(1);
	}

	private Gate gate(GatePosition onFailure) {
		return new Gate(true, onFailure, this.openings::incrementAndGet);
	}

	private GatewayWarmup warmup() {
		return warmup(BUDGET);
	}

	private GatewayWarmup warmup(Duration reportLimit) {
		GatewayWarmupSchedule agenda = new GatewayWarmupSchedule(this.fleet, this.idleClock,
				new IdleSchedule(Duration.ofMinutes(30), Duration.ofMinutes(1), 0), this.clock, () -> 0);
		InstanceWarmupClient asker = new InstanceWarmupClient(WebClient.create(), () -> SELF, this.token);
		return new GatewayWarmup(new WarmableServices(discovery(), List.of(this::isReached), () -> SELF), agenda,
				new ServiceWarmup(asker, this.fleet, agenda, reportLimit, Schedulers.parallel()),
				new GatewayReadiness(this.gate, agenda, () -> SELF, BUDGET, this.clock), Schedulers.parallel());
	}

	private DiscoveryClient discovery() {
		return new DiscoveryClient() {

			@Override
			public String description() {
				return "the registry of the test";
			}

			@Override
			public List<ServiceInstance> getInstances(String serviceId) {
				return List.copyOf(GatewayWarmupTests.this.registry.getOrDefault(serviceId, List.of()));
			}

			@Override
			public List<String> getServices() {
				return List.copyOf(GatewayWarmupTests.this.registry.keySet());
			}

		};
	}

	private WireMockServer instance(String service, String id) {
		WireMockServer server = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		server.start();
		this.servers.add(server);
		Map<String, String> metadata = new HashMap<>(Map.of(WarmupToken.METADATA_KEY, WarmupToken.random().sha256()));
		ServiceInstance instance = new DefaultServiceInstance(id, service, "localhost", server.port(), false, metadata);
		this.registry.computeIfAbsent(service, (key) -> new ArrayList<>()).add(instance);
		return server;
	}

	private static void starts(WireMockServer instance, String run) {
		instance.stubFor(WireMock.post(WireMock.urlPathMatching("/.warmup/gateways/.*"))
			.willReturn(WireMock.jsonResponse("{\"run\":\"" + run + "\"}", 202)));
	}

	private static void answers(WireMockServer instance, int status) {
		instance.stubFor(
				WireMock.post(WireMock.urlPathMatching("/.warmup/gateways/.*")).willReturn(WireMock.status(status)));
	}

	private void start() {
		this.warmup.onReady();
	}

	/** Two more looks, so that whoever was to be asked at the first is. */
	private void lookAgain() {
		for (int i = 0; i < 2; i++) {
			int before = this.looks.get();
			this.warmup.look();
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.looks.get() > before);
		}
	}

	private boolean isReached() {
		this.looks.incrementAndGet();
		return this.reached.get();
	}

	private static List<LoggedRequest> asks(WireMockServer instance) {
		return instance.findAll(WireMock.postRequestedFor(WireMock.urlPathMatching("/.warmup/gateways/.*")));
	}

	private static void awaitAsks(WireMockServer instance, int asks) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> asks(instance).size() == asks);
	}

	private void awaitOpen() {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(this.gate::isOpen);
	}

}
