package dev.warmup.gateway;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway requests runs in virtual time; what instances answer is the test's. */
class GatewayWarmupTests {

	private static final Instance SELF = new Instance("gateway", "gateway-1");

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private static final Duration TICK = Duration.ofSeconds(1);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock, Runnable::run);

	private final UserActivity activity = new UserActivity(this.clock);

	/** What instances answer, by host. */
	private final Map<String, Mono<ClientResponse>> answers = new HashMap<>();

	private final List<ClientRequest> requests = new ArrayList<>();

	private final Map<String, List<ServiceInstance>> registry = new LinkedHashMap<>();

	private final InstanceLookup lookup = Mockito.mock(InstanceLookup.class);

	private boolean fetched = true;

	private final Gate gate = new Gate(true, Gate.Position.CLOSED, () -> {
	});

	private final ConfigurableApplicationContext context = Mockito.mock(ConfigurableApplicationContext.class);

	private final GatewayWarmup warmup = warmup();

	@RegisterExtension
	private final CapturedLog statusLog = CapturedLog.of("dev.warmup.status");

	@RegisterExtension
	private final CapturedLog scheduleLog = CapturedLog.of(GatewayWarmupSchedule.class);

	@AfterEach
	void stop() {
		this.warmup.destroy();
		VirtualTimeScheduler.reset();
	}

	@Test
	void serviceMayHaveAnotherNameInItsReportsAndAnotherSpellingLater() {
		instance("chat", "chat-1", started("run-1"));
		start();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		pass(TICK.multipliedBy(5));
		assertThat(this.gate.isOpen()).isTrue();
		this.registry.put("CHAT", this.registry.remove("chat"));
		refresh();
		assertThat(requests("chat-1")).isEqualTo(1);
		pass(Duration.ofMinutes(30));
		refresh();
		assertThat(requests("chat-1")).isEqualTo(2);
		refresh();
		assertThat(requests("chat-1")).as("it has run").isEqualTo(2);
	}

	@Test
	void aChildOfTheContextThatIsReadyRequestsNoRun() {
		instance("chat-service", "chat-1", started("run-1"));
		ready(Mockito.mock(ConfigurableApplicationContext.class));
		pass(TICK.multipliedBy(2));
		assertThat(requests("chat-1")).isZero();
	}

	@Test
	void whatARunHasWarmedStaysSoWhenItsInstanceLeavesOrWarmsNoMore() {
		instance("chat-service", "chat-1", status(404).delaySubscription(TICK.multipliedBy(2)));
		instance("room-service", "room-1", started("run-2"));
		start();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		pass(TICK.multipliedBy(2));
		this.fleet.left("chat-1");
		pass(TICK);
		this.fleet.reported(Reports.warm("room-service", "room-1", "run-2"));
		this.fleet.left("room-1");
		pass(TICK);
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.statusLog.lines()).anyMatch((line) -> line.contains("READY: warmed by 2 of 2 services"));
		pass(Duration.ofMinutes(30));
		refresh();
		assertThat(requests("room-1")).as("idle").isEqualTo(2);
	}

	/** While its only instance restarts, STARTING, it is in no client's list. */
	@Test
	void whatAServiceHasWarmedStaysSoWhileItHasNoInstanceUntilItIsDueAgain() {
		instance("chat-service", "chat-1", started("run-1"));
		start();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		pass(TICK);
		this.fleet.left("chat-1");
		List<ServiceInstance> instances = this.registry.remove("chat-service");
		refresh();
		this.registry.put("chat-service", instances);
		refresh();
		assertThat(requests("chat-1")).isEqualTo(1);
		this.registry.remove("chat-service");
		pass(Duration.ofMinutes(30));
		refresh();
		this.registry.put("chat-service", instances);
		refresh();
		assertThat(this.requests).extracting((request) -> request.url().getQuery())
			.containsExactly("trigger=startup", "trigger=startup");
	}

	@Test
	void serviceIsNotRequestedWhileARunOfItGoesOn() {
		instance("chat-service", "chat-1", started("run-2"));
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-1"), "run-1", "rooms", TICK, false);
		start();
		pass(TICK.multipliedBy(9));
		assertThat(this.requests).isEmpty();
		pass(TICK);
		assertThat(this.requests).hasSize(1);
	}

	@Test
	void serviceThatIsGoneIsNotAwaited() {
		instance("chat-service", "chat-1", status(409));
		start();
		this.registry.clear();
		assertThat(this.gate.isOpen()).isFalse();
		refresh();
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void gateOpensWhenTheLastOfManyServicesHasReported() {
		List<String> services = IntStream.range(0, 10).mapToObj((i) -> "service-" + i).toList();
		services.forEach((service) -> instance(service, service + "-1", started("run-of-" + service)));
		start();
		assertThat(this.requests).as("at once").hasSize(10);
		for (String service : services) {
			assertThat(this.gate.isOpen()).isFalse();
			this.fleet.reported(Reports.warm(service, service + "-1", "run-of-" + service));
			pass(TICK);
		}
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.statusLog.lines())
			.contains("INFO Requesting runs from 10 services (%s), for at most 60 s"
				.formatted(String.join(", ", services)))
			.contains("INFO gateway/gateway-1 READY: warmed by 10 of 10 services in 10.0 s");
	}

	@Test
	void serviceWhoseRunGoesOnWhenTheGateOpensHasWarmedItInPart() {
		instance("chat-service", "chat-1", started("run-1"));
		start();
		pass(BUDGET.minus(TICK));
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-1"), "run-1", "rooms", TICK, false);
		pass(TICK);
		assertThat(this.statusLog.lines()).last()
			.isEqualTo("INFO gateway/gateway-1 READY: warmed by 0 of 1 services in 60.0 s; chat-service in part");
	}

	/** As long as its own budget, from its first answer on. */
	@Test
	void reportOfARunThatNeedsItsWholeBudgetIsWaitedFor() {
		instance("chat-service", "chat-1", started("run-1"));
		start();
		pass(BUDGET.plus(TICK.multipliedBy(9)));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		pass(TICK.multipliedBy(2));
		assertThat(this.scheduleLog.lines()).isEmpty();
	}

	@Test
	void anotherInstanceIsRequestedWhenOneIsBusyOrGone() {
		instance("chat-service", "chat-1", status(409));
		instance("chat-service", "chat-2", Mono.error(new ConnectException("gone")));
		instance("chat-service", "chat-3", started("run-1"));
		start();
		assertThat(requests("chat-3")).isEqualTo(1);
		this.fleet.reported(Reports.warm("chat-service", "chat-3", "run-1"));
		pass(TICK);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "fine", "{\"run\":null}", "[" })
	void responseWithoutARunIsAFailure(String body) {
		instance("chat-service", "chat-1", response(202, body));
		start();
		assertThat(this.scheduleLog.lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("INFO Not warmed yet: chat-service/chat-1 "));
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void busyServiceIsRequestedAgainAfterABackoffThatGrows() {
		instance("chat-service", "chat-1", status(409));
		start();
		assertThat(requests("chat-1")).isEqualTo(1);
		pass(GatewayWarmupSchedule.MIN_BACKOFF);
		assertThat(requests("chat-1")).isEqualTo(2);
		pass(Duration.ofMinutes(10));
		assertThat(requests("chat-1")).isBetween(12L, 32L);
	}

	@Test
	void runThatFailedOrHasNoReportIsRequestedAgain() {
		instance("chat-service", "chat-1", started("run-1"));
		start();
		this.answers.put("chat-1", started("run-2"));
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		pass(TICK.multipliedBy(3));
		assertThat(requests("chat-1")).isEqualTo(2);
		assertThat(this.gate.isOpen()).isFalse();
		pass(BUDGET.plus(GatewayWarmupSchedule.MAX_BACKOFF));
		assertThat(requests("chat-1")).isEqualTo(3);
	}

	@Test
	void serviceThatHasWarmedTheGatewayByItselfIsNotRequested() {
		instance("chat-service", "chat-1", started("run-2"));
		this.fleet.reported(Reports.warm("CHAT-SERVICE", "chat-1", "run-1"));
		start();
		assertThat(this.gate.isOpen()).isTrue();
		refresh();
		assertThat(this.requests).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "true, warmed by 0 of 1 services in 60.0 s; chat-service not yet",
			"false, discovery did not answer in 60.0 s" })
	void gateOpensWhenTheBudgetIsUsedUp(boolean registryFetched, String reached) {
		this.fetched = registryFetched;
		instance("chat-service", "chat-1", status(503));
		start();
		pass(BUDGET.minus(TICK));
		assertThat(this.gate.isOpen()).isFalse();
		pass(TICK);
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.statusLog.lines()).contains("INFO gateway/gateway-1 READY: " + reached);
	}

	@Test
	void serviceWithoutTheLibraryIsIgnoredAndSoIsTheGatewayItself() {
		instance("plain-service", "plain-1", started("run-1"));
		this.registry.get("plain-service").get(0).getMetadata().clear();
		instance("GATEWAY", "gateway-2", started("run-2"));
		start();
		assertThat(this.gate.isOpen()).as("nothing is awaited").isTrue();
		refresh();
		assertThat(this.requests).isEmpty();
	}

	@Test
	void serviceThatDoesNotWarmIsNotAwaitedAndLeftAlone() {
		instance("chat-service", "chat-1", status(404));
		instance("chat-service", "chat-2", status(404));
		start();
		pass(TICK);
		assertThat(this.gate.isOpen()).isTrue();
		pass(GatewayWarmupSchedule.REST.minus(TICK.multipliedBy(2)));
		assertThat(requests("chat-1")).isEqualTo(1);
		pass(TICK);
		assertThat(requests("chat-1")).isEqualTo(2);
		assertThat(this.scheduleLog.lines()).singleElement()
			.asString()
			.matches("INFO Not warmed yet: chat-service/chat-[12] does not warm this gateway \\(404\\)");
	}

	/** Instances are tried in random order, so there are several services. */
	@Test
	void serviceIsAwaitedWhereOneOfItsInstancesDoesNotWarm() {
		List<String> services = IntStream.range(0, 10).mapToObj((i) -> "service-" + i).toList();
		services.forEach((service) -> {
			instance(service, service + "-1", status(409));
			instance(service, service + "-2", status(404));
		});
		start();
		pass(TICK);
		assertThat(this.gate.isOpen()).isFalse();
		assertThat(this.scheduleLog.lines()).hasSize(10)
			.allMatch((line) -> line.endsWith(" is busy with another run (409)"));
		pass(GatewayWarmupSchedule.MIN_BACKOFF);
		assertThat(services).allMatch((service) -> requests(service + "-1") > 1);
	}

	@Test
	void registryIsAwaitedWithinTheBudget() {
		this.fetched = false;
		instance("chat-service", "chat-1", started("run-1"));
		start();
		pass(TICK.multipliedBy(3));
		assertThat(this.gate.isOpen()).isFalse();
		this.fetched = true;
		pass(TICK);
		assertThat(requests("chat-1")).isEqualTo(1);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		pass(TICK);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void idleGatewayIsWarmedAgain(boolean user) {
		instance("chat-service", "chat-1", started("run-2"));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		start();
		pass(Duration.ofMinutes(29));
		if (user) {
			this.activity.touch();
			pass(Duration.ofMinutes(29));
		}
		refresh();
		assertThat(this.requests).isEmpty();
		pass(Duration.ofMinutes(1));
		refresh();
		assertThat(this.requests).singleElement()
			.satisfies((request) -> assertThat(request.url().getQuery()).isEqualTo("trigger=idle"));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		pass(Duration.ofMinutes(29));
		refresh();
		assertThat(this.requests).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void instanceThatWasKilledIsForgottenAndOneThatIsRegisteredStays(boolean localCopy) {
		instance("chat-service", "chat-1", started("run-1"));
		instance("chat-service", "chat-2", started("run-2"));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		this.fleet.reported(Reports.warm("chat-service", "chat-2", "run-2"));
		if (localCopy) {
			Mockito.when(this.lookup.known(ArgumentMatchers.any()))
				.thenAnswer((call) -> registered(call.getArgument(0)));
		}
		start();
		this.registry.get("chat-service").remove(0);
		pass(Duration.ofMinutes(5));
		assertThat(instances()).containsExactly("chat-1", "chat-2");
		pass(Duration.ofMinutes(1));
		assertThat(instances()).containsExactly("chat-2");
		pass(Duration.ofHours(1));
		assertThat(instances()).as("idle").containsExactly("chat-2");
		Mockito.verify(this.lookup, localCopy ? Mockito.never() : Mockito.atLeastOnce()).find("chat-2");
	}

	private List<String> instances() {
		return this.fleet.entries().stream().map(Fleet.Entry::instanceId).toList();
	}

	private GatewayWarmup warmup() {
		Duration after = Duration.ofMinutes(30);
		GatewayWarmupSchedule schedule = new GatewayWarmupSchedule(this.fleet, this.activity,
				new IdleSchedule(after, Duration.ofMinutes(1), after), this.clock);
		DiscoveryClient discovery = Mockito.mock(DiscoveryClient.class);
		Mockito.when(discovery.getServices()).thenAnswer((call) -> List.copyOf(this.registry.keySet()));
		Mockito.when(discovery.getInstances(ArgumentMatchers.any()))
			.thenAnswer((call) -> this.registry.get(call.<String>getArgument(0)));
		WebClient client = WebClient.builder().exchangeFunction((request) -> {
			this.requests.add(request);
			return this.answers.get(request.url().getHost());
		}).build();
		Mockito.when(this.lookup.isFetched()).thenAnswer((call) -> this.fetched);
		Mockito.when(this.lookup.find(ArgumentMatchers.any()))
			.thenAnswer((call) -> Mono.just(registered(call.getArgument(0))));
		return new GatewayWarmup(
				new WarmingServices(discovery, this.lookup, client, () -> SELF, Claims.key("gateway-1"),
						Schedulers.boundedElastic()),
				this.fleet, schedule, this.gate, () -> SELF, BUDGET, this.clock, this.time);
	}

	private Optional<ServiceInstance> registered(String id) {
		return this.registry.values()
			.stream()
			.flatMap(List::stream)
			.filter((instance) -> id.equals(instance.getInstanceId()))
			.findFirst();
	}

	private void instance(String service, String id, Mono<ClientResponse> answer) {
		this.answers.put(id, answer);
		Map<String, String> metadata = new HashMap<>(Map.of(WarmupKey.METADATA_KEY, Claims.jwk(id)));
		this.registry.computeIfAbsent(service, (key) -> new ArrayList<>())
			.add(new DefaultServiceInstance(id, service, id, 8080, false, metadata));
	}

	private static Mono<ClientResponse> started(String run) {
		return response(202, "{\"run\":\"" + run + "\"}");
	}

	private static Mono<ClientResponse> status(int status) {
		return response(status, "");
	}

	private static Mono<ClientResponse> response(int status, String body) {
		return Mono.fromSupplier(() -> ClientResponse.create(HttpStatusCode.valueOf(status)).body(body).build());
	}

	private void start() {
		ready(this.context);
	}

	private void ready(ConfigurableApplicationContext context) {
		ApplicationReadyEvent event = Mockito.mock(ApplicationReadyEvent.class);
		Mockito.when(event.getApplicationContext()).thenReturn(context);
		this.warmup.setApplicationContext(this.context);
		this.warmup.onReady(event);
		pass(Duration.ZERO);
	}

	/** Reads discovery again, as at a heartbeat. */
	private void refresh() {
		this.warmup.refresh();
		pass(TICK);
	}

	/** Lets time pass, by the clock and for what is scheduled. */
	private void pass(Duration duration) {
		this.time.advanceTime();
		for (long tick = 0; tick < duration.toSeconds(); tick++) {
			this.clock.advance(TICK);
			this.time.advanceTimeBy(TICK);
		}
	}

	private long requests(String id) {
		return this.requests.stream().filter((request) -> request.url().getHost().equals(id)).count();
	}

}
