package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.registry.Registered;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnEndpoints;
import dev.warmup.service.OwnState;
import dev.warmup.service.WantedRuns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** When a gateway asks for runs, and when its own gate opens. */
class GatewayWarmupTests {

	private final FakeService shop = new FakeService("shop", "shop-1");

	private final TestGateway gateway = new TestGateway();

	@AfterEach
	void stop() {
		this.gateway.close();
		this.shop.close();
	}

	@Test
	void theGateOpensAtOnceWhereTheRegistryListsNoService() {
		this.gateway.start();
		TestGateway.await(this::isOpen);
		assertThat(this.gateway.bean(OwnState.class).phase()).isEqualTo(Phase.WARM);
	}

	@Test
	void theGateStaysClosedUntilTheRegistryWasReadAndOpensAfterThreeBudgetsAtTheLatest() {
		this.gateway.registry().notRead();
		this.gateway.with("warmup.startup.budget=1s").start();
		assertThat(isOpen()).isFalse();
		TestGateway.await(this::isOpen);
	}

	@Test
	void theGateOpensWhenARunOfEachServiceHasComeThrough() {
		this.shop.answersWants(RunAnswer.STARTED);
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.start();
		TestGateway.await(() -> wants().equals(Set.of("shop")));
		this.shop.warming(GatePosition.OPEN);
		staysClosed();
		try (CapturedLog log = CapturedLog.of(StatusLine.LOGGER)) {
			this.shop.warm();
			TestGateway.await(this::isOpen);
			assertThat(wants()).isEmpty();
			TestGateway.await(() -> log.lines()
				.stream()
				.anyMatch((line) -> line.startsWith("INFO gateway/" + TestGateway.ID + " READY: warmed by 1 of 1")));
		}
	}

	@Test
	void itsOwnEndpointsAreWarmedOnceItsServicesHaveWarmedItAndTheGateOpensThen() {
		this.shop.answersWants(RunAnswer.STARTED);
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.source(WithEndpoints.class).start();
		Endpoints endpoints = this.gateway.bean(Endpoints.class);
		this.shop.warming(GatePosition.OPEN);
		staysClosed();
		assertThat(endpoints.calls).isEmpty();
		this.shop.warm();
		TestGateway.await(() -> endpoints.calls.equals(List.of(false)));
		assertThat(wants()).isEmpty();
		staysClosed();
		endpoints.runs
			.tryEmitNext(FakeService.run("own", Optional.of(Verdict.FAILED), Trigger.STARTUP, TestGateway.ID));
		TestGateway.await(this::isOpen);
	}

	@Test
	void theGateOpensWhereItsOwnEndpointsCannotBeWarmedAndTheyAreWarmedAgainWhenItWasIdle() {
		this.gateway.source(WithEndpoints.class).with("warmup.idle.after=1s").start();
		Endpoints endpoints = this.gateway.bean(Endpoints.class);
		endpoints.runs.tryEmitError(new IllegalStateException("no catalog"));
		TestGateway.await(this::isOpen);
		TestGateway.await(() -> endpoints.calls.size() > 1);
		assertThat(endpoints.calls).startsWith(false, true);
	}

	@Test
	void aRunOfAnEarlierProcessOrThroughAnotherGatewayDoesNotCount() {
		this.shop.warm();
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.start();
		TestGateway.await(() -> wants().equals(Set.of("shop")));
		staysClosed();
		RunRecord elsewhere = FakeService.run("run-2", Optional.of(Verdict.WARM), Trigger.STARTUP, "another");
		this.shop.says((state) -> state.run = Optional.of(elsewhere));
		staysClosed();
	}

	@Test
	void aServiceWithNothingToSendIsNotWaitedFor() {
		this.shop.answersWants(RunAnswer.NOTHING);
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.start();
		TestGateway.await(this::isOpen);
	}

	@Test
	void aBusyInstanceLeavesTheRunToAnother() {
		try (FakeService idle = new FakeService("shop", "shop-2")) {
			this.shop.answersWants(RunAnswer.BUSY);
			idle.answersWants(RunAnswer.NOTHING);
			this.gateway.registry()
				.list(this.shop.registered(Registered.Status.UP), idle.registered(Registered.Status.UP));
			this.gateway.start();
			TestGateway.await(this::isOpen);
		}
	}

	@Test
	void aServiceWithoutTheLibraryIsNotWaitedFor() {
		this.shop.withoutLibrary();
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.start();
		TestGateway.await(this::isOpen);
	}

	@Test
	void anIdleGatewayAsksAgain() {
		this.shop.answersWants(RunAnswer.NOTHING);
		this.gateway.registry().list(this.shop.registered(Registered.Status.UP));
		this.gateway.with("warmup.idle.after=2s").start();
		TestGateway.await(this::isOpen);
		this.shop.answersWants(RunAnswer.STARTED);
		TestGateway.await(() -> wants().equals(Set.of("shop")));
		assertThat(isOpen()).isTrue();
	}

	@Test
	void theOnlyInstanceBehindADiscoveryLocatorHasARouteBeforeTheCopyListsIt() {
		this.shop.warming(GatePosition.CLOSED);
		this.gateway.with("spring.cloud.gateway.server.webflux.discovery.locator.enabled=true").start();
		assertThat(this.gateway.get("/shop/rooms").statusCode()).isEqualTo(404);
		this.gateway.registry().register(this.shop.registered(Registered.Status.STARTING));
		assertThat(this.gateway.news(this.shop.instance()).statusCode()).isEqualTo(204);
		TestGateway.await(() -> this.gateway.get("/shop/rooms", "X-Warmup", this.shop.claim()).statusCode() == 200);
		assertThat(this.gateway.get("/shop/rooms").statusCode()).isEqualTo(503);
	}

	private boolean isOpen() {
		return this.gateway.bean(Gate.class).isOpen();
	}

	private Set<String> wants() {
		return this.gateway.bean(WantedRuns.class).services();
	}

	private void staysClosed() {
		Awaitility.await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(10)).until(() -> !isOpen());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@Import({ TestGateway.Application.class, Endpoints.class })
	static class WithEndpoints {

	}

	/** Endpoints of its own, whose runs a test ends. */
	static class Endpoints implements OwnEndpoints {

		private final List<Boolean> calls = new CopyOnWriteArrayList<>();

		private final Sinks.Many<RunRecord> runs = Sinks.many().replay().all();

		@Override
		public Flux<RunRecord> warm(boolean idle) {
			this.calls.add(idle);
			return this.runs.asFlux();
		}

	}

}
