package dev.warmup.gateway;

import java.time.Clock;
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
import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupKey;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway requests runs over real HTTP; the test moves the clock of back-offs and
 * budgets.
 */
@Timeout(120)
class GatewayWarmupTests {

	private static final Instance SELF = new Instance("gateway", "gateway-1");

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock);

	private final UserActivity activity = new UserActivity(this.clock);

	private final WarmupKey key = WarmupKey.generate(Clock.systemUTC());

	private final List<WireMockServer> servers = new ArrayList<>();

	private final Map<String, List<ServiceInstance>> registry = new LinkedHashMap<>();

	private final AtomicBoolean reached = new AtomicBoolean(true);

	private final AtomicInteger ticks = new AtomicInteger();

	private final AtomicInteger openings = new AtomicInteger();

	private Gate gate = gate(GatePosition.OPEN);

	private GatewayWarmup warmup = warmup();

	@AfterEach
	void stop() {
		this.warmup.destroy();
		this.servers.forEach(WireMockServer::stop);
	}

	@Test
	void serviceIsRequestedOnceAndTheGateOpensWithItsReport() {
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitRequests(chat, 1);
		LoggedRequest request = requests(chat).get(0);
		assertThat(request.getUrl()).isEqualTo("/.warmup/gateways/gateway-1?trigger=startup");
		assertThat(request.getHeader("X-Warmup")).matches("instance=gateway-1; run=[\\w-]+; jwt=[\\w.-]+");
		assertThat(this.gate.isOpen()).isFalse();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
		tickTwice();
		assertThat(requests(chat)).hasSize(1);
	}

	@Test
	@Tag("full")
	void serviceMayHaveAnotherNameInItsReports() {
		WireMockServer chat = instance("chat", "chat-1");
		starts(chat, "run-1");
		start();
		awaitRequests(chat, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
		tickTwice();
		assertThat(requests(chat)).hasSize(1);
		this.clock.advance(Duration.ofMinutes(30));
		tickTwice();
		awaitRequests(chat, 2);
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
	void servicesAreRequestedTwoAtATime() {
		WireMockServer chat = instance("chat-service", "chat-1");
		WireMockServer rooms = instance("room-service", "room-1");
		WireMockServer mail = instance("mail-service", "mail-1");
		starts(chat, "run-1");
		starts(rooms, "run-2");
		starts(mail, "run-3");
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			start();
			awaitRequests(chat, 1);
			awaitRequests(mail, 1);
			Awaitility.await().during(Duration.ofSeconds(2)).until(() -> requests(rooms).isEmpty());
			this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
			awaitRequests(rooms, 1);
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
	void anotherInstanceIsRequestedWhenOneIsBusyOrGone() {
		WireMockServer busy = instance("chat-service", "chat-1");
		WireMockServer gone = instance("chat-service", "chat-2");
		WireMockServer free = instance("chat-service", "chat-3");
		answers(busy, 409);
		gone.stubFor(WireMock.any(WireMock.anyUrl())
			.willReturn(WireMock.aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		starts(free, "run-1");
		start();
		awaitRequests(free, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-3", "run-1"));
		awaitOpen();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "fine", "{\"run\":null}", "[" })
	void responseWithoutARunIsAFailure(String body) {
		WireMockServer chat = instance("chat-service", "chat-1");
		chat.stubFor(WireMock.post(WireMock.anyUrl()).willReturn(WireMock.jsonResponse(body, 202)));
		try (CapturedLog log = CapturedLog.of(GatewayWarmupSchedule.class)) {
			start();
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> log.lines().size() == 1);
			assertThat(log.lines().get(0)).startsWith("INFO Not warmed yet: chat-service/chat-1 ");
		}
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void busyServiceIsRequestedAgainAfterABackoff() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 409);
		start();
		awaitRequests(chat, 1);
		tickTwice();
		assertThat(requests(chat)).hasSize(1);
		this.clock.advance(GatewayWarmupSchedule.MIN_BACKOFF);
		awaitRequests(chat, 2);
	}

	@Test
	void runWithoutAReportIsRequestedAgain() {
		this.warmup.destroy();
		this.warmup = warmup(Duration.ofMillis(300));
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitRequests(chat, 1);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			this.clock.advance(GatewayWarmupSchedule.MAX_BACKOFF);
			return requests(chat).size() > 1;
		});
	}

	@Test
	void failedRunIsRequestedAgain() {
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		awaitRequests(chat, 1);
		starts(chat, "run-2");
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			this.clock.advance(Duration.ofSeconds(1));
			return requests(chat).size() > 1;
		});
		assertThat(this.clock.instant()).isBefore(MutableClock.START.plus(BUDGET));
		assertThat(this.gate.isOpen()).isFalse();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		awaitOpen();
	}

	@Test
	void serviceThatHasWarmedTheGatewayByItselfIsNotRequested() {
		WireMockServer chat = instance("chat-service", "chat-1");
		this.fleet.reported(Reports.warm("CHAT-SERVICE", "chat-1", "run-1"));
		start();
		awaitOpen();
		tickTwice();
		assertThat(requests(chat)).isEmpty();
	}

	@Test
	void gateOpensWhenTheBudgetIsUsedUp() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 503);
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			start();
			awaitRequests(chat, 1);
			this.clock.advance(BUDGET.minusSeconds(1));
			tickTwice();
			assertThat(this.gate.isOpen()).isFalse();
			this.clock.advance(Duration.ofSeconds(1));
			awaitOpen();
			assertThat(log.lines()).contains(
					"INFO gateway/gateway-1 READY: warmed through by 0 of 1 services in 60.0 s; chat-service not at all");
		}
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
		tickTwice();
		assertThat(requests(plain)).isEmpty();
		assertThat(requests(self)).isEmpty();
	}

	@Test
	@Tag("full")
	void serviceThatDoesNotWarmIsNotAwaitedAndLeftAlone() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 404);
		try (CapturedLog log = CapturedLog.of(GatewayWarmupSchedule.class)) {
			start();
			awaitRequests(chat, 1);
			awaitOpen();
			this.clock.advance(GatewayWarmupSchedule.REST.minusSeconds(1));
			tickTwice();
			assertThat(requests(chat)).hasSize(1);
			this.clock.advance(Duration.ofSeconds(1));
			awaitRequests(chat, 2);
			tickTwice();
			assertThat(log.lines())
				.containsExactly("INFO Not warmed yet: chat-service/chat-1 does not warm gateways (404)");
		}
	}

	@Test
	@Tag("full")
	void deniedGatewayRetriesSixTimesAndThenRarely() {
		WireMockServer chat = instance("chat-service", "chat-1");
		answers(chat, 403);
		start();
		for (int i = 1; i <= 6; i++) {
			awaitRequests(chat, i);
			tickTwice();
			assertThat(requests(chat)).hasSize(i);
			this.clock.advance(Duration.ofSeconds(40));
		}
		tickTwice();
		assertThat(requests(chat)).hasSize(6);
	}

	@Test
	@Tag("full")
	void registryIsAwaitedWithinTheBudget() {
		this.reached.set(false);
		WireMockServer chat = instance("chat-service", "chat-1");
		starts(chat, "run-1");
		start();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.ticks.get() > 2);
		assertThat(this.gate.isOpen()).isFalse();
		this.reached.set(true);
		awaitRequests(chat, 1);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		awaitOpen();
	}

	@Test
	void gateOpensWithoutTheRegistryWhenTheBudgetIsUsedUp() {
		this.reached.set(false);
		start();
		this.clock.advance(BUDGET);
		awaitOpen();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Tag("full")
	void idleGatewayIsWarmedAgain(boolean user) {
		WireMockServer chat = instance("chat-service", "chat-1");
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		starts(chat, "run-2");
		start();
		awaitOpen();
		this.clock.advance(Duration.ofMinutes(29));
		if (user) {
			this.activity.touch();
		}
		this.clock.advance(Duration.ofMinutes(1));
		tickTwice();
		if (user) {
			assertThat(requests(chat)).isEmpty();
			this.clock.advance(Duration.ofMinutes(29));
			tickTwice();
		}
		awaitRequests(chat, 1);
		assertThat(requests(chat).get(0).getUrl()).endsWith("?trigger=idle");
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		tickTwice();
		this.clock.advance(Duration.ofMinutes(29));
		tickTwice();
		assertThat(requests(chat)).hasSize(1);
	}

	private Gate gate(GatePosition onFailure) {
		return new Gate(true, onFailure, this.openings::incrementAndGet);
	}

	private GatewayWarmup warmup() {
		return warmup(BUDGET);
	}

	private GatewayWarmup warmup(Duration reportTimeout) {
		GatewayWarmupSchedule schedule = new GatewayWarmupSchedule(this.fleet, this.activity,
				new IdleSchedule(Duration.ofMinutes(30), Duration.ofMinutes(1), 0), this.clock, () -> 0);
		return new GatewayWarmup(new WarmableServices(discovery(), List.of(this::isFetched), () -> SELF),
				new GatewayWarmupClient(WebClient.create(), () -> SELF, this.key), this.fleet, schedule,
				new GatewayReadiness(this.gate, schedule, () -> SELF, BUDGET, this.clock), reportTimeout,
				Schedulers.parallel());
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
		Map<String, String> metadata = new HashMap<>(Map.of(WarmupKey.METADATA_KEY, Claims.jwk(id)));
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

	/** Two more ticks, so that the requests of the first have been sent. */
	private void tickTwice() {
		for (int i = 0; i < 2; i++) {
			int before = this.ticks.get();
			this.warmup.refresh();
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.ticks.get() > before);
		}
	}

	private boolean isFetched() {
		this.ticks.incrementAndGet();
		return this.reached.get();
	}

	private static List<LoggedRequest> requests(WireMockServer instance) {
		return instance.findAll(WireMock.postRequestedFor(WireMock.urlPathMatching("/.warmup/gateways/.*")));
	}

	private static void awaitRequests(WireMockServer instance, int count) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> requests(instance).size() == count);
	}

	private void awaitOpen() {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(this.gate::isOpen);
	}

}
