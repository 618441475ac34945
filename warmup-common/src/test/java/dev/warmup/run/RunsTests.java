package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.registry.Registered;
import dev.warmup.registry.Registry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

class RunsTests extends RunFixture {

	private Runs runs() {
		return new Runs(parts(), Duration.ofMinutes(30), Duration.ofMinutes(33));
	}

	@Test
	void theLastTenRunsAreRemembered() {
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		Runs runs = runs();
		IntStream.range(0, 11).forEach((i) -> runs.run(Trigger.STARTUP).block(TIMEOUT));
		assertThat(runs.last()).hasSize(10).doesNotHaveDuplicates();
	}

	@Test
	void aRunOnDemandIsRefusedWhileOneIsUnderWayAndForTenSecondsAfterTheLast() {
		this.clock = new MutableClock();
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		Runs runs = runs();
		assertThat(runs.startManually()).isEqualTo(Runs.Start.STARTED);
		Awaitility.await().atMost(TIMEOUT).until(() -> !runs.last().isEmpty());
		Awaitility.await().atMost(TIMEOUT).until(() -> runs.startManually() == Runs.Start.COOLING_DOWN);
		((MutableClock) this.clock).advance(Duration.ofSeconds(10));
		assertThat(runs.startManually()).isEqualTo(Runs.Start.STARTED);
	}

	@Test
	void whileARunIsUnderWayNoOtherBegins() {
		Runs runs = runs();
		this.located = Mono.never();
		runs.run(Trigger.STARTUP).subscribe();
		assertThat(runs.startManually()).isEqualTo(Runs.Start.BUSY);
		assertThat(runs.run(Trigger.STARTUP).blockOptional(TIMEOUT)).isEmpty();
	}

	@Test
	void anInstanceThatWasIdleIsWarmedAgainAfterUsersAndRuns() {
		MutableClock time = new MutableClock();
		this.clock = time;
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		Runs runs = runs();
		assertThat(runs.idle().next()).hasValue(MutableClock.START.plus(Duration.ofMinutes(33)));
		time.advance(Duration.ofHours(1));
		runs.startIfIdle();
		assertThat(runs.last()).as("the first run is not the timer's").isEmpty();
		runs.run(Trigger.STARTUP).block(TIMEOUT);
		time.advance(Duration.ofMinutes(32));
		parts().users().touch();
		time.advance(Duration.ofMinutes(32));
		runs.startIfIdle();
		assertThat(runs.last()).hasSize(1);
		assertThat(runs.idle()).isEqualTo(new Runs.IdleStatus(Duration.ofMinutes(30), parts().users().last(),
				parts().users().last().map((last) -> last.plus(Duration.ofMinutes(33)))));
		time.advance(Duration.ofMinutes(1));
		runs.startIfIdle();
		Awaitility.await().atMost(TIMEOUT).until(() -> runs.last().size() == 2);
		assertThat(runs.last().get(0).trigger()).isEqualTo(Trigger.IDLE);
		runs.startIfIdle();
		assertThat(runs.last()).hasSize(2);
	}

	@Test
	void withoutAnIdleTimeNoRunIsEverDue() {
		assertThat(new Runs(parts(), Duration.ZERO, Duration.ZERO).idle().next()).isEmpty();
	}

	@Test
	void anIdleRunWithNothingToSendLeavesThePhaseAsItIs() {
		this.scenarios = "{ name: only, when: [startup], requests: [GET /rooms] }";
		Runs runs = runs();
		this.gateway.script = (request) -> this.gateway.own(500, "");
		runs.run(Trigger.MANUAL).block(TIMEOUT);
		assertThat(runs.run(Trigger.IDLE).block(TIMEOUT))
			.satisfies((run) -> assertThat(run.verdict()).hasValue(Verdict.SKIPPED));
		assertThat(parts().state().phase()).isEqualTo(Phase.FAILED);
	}

	@Test
	void aGatewayThatWantsItIsWarmedAtItsRegisteredAddressOnce() {
		Runs runs = runs();
		WantedByGateways wanted = wanted(runs);
		this.gateway.script = (request) -> request.startsWith("GET /.warmup/state") ? state("gw-1", "chat-service")
				: this.gateway.own(200, "");
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).as("before the first run").isEqualTo(RunAnswer.BUSY);
		runs.run(Trigger.MANUAL).block(TIMEOUT);
		this.located = Mono.just(List.of(this.other.gateway()));
		int before = this.gateway.requests.size();
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.STARTED);
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		Awaitility.await().atMost(TIMEOUT).until(() -> runs.last().size() == 2);
		assertThat(this.gateway.requests.subList(before, this.gateway.requests.size()))
			.startsWith("GET /.warmup/state?gateway=host%3A8080")
			.contains("GET /rooms");
		assertThat(runs.last().get(0).gateways()).containsExactly("gw-1");
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).as("cooling down").isEqualTo(RunAnswer.BUSY);
		assertThat(this.other.requests).isEmpty();
	}

	@Test
	void aStartupRunBesideAnOpenGateEndsForAGatewayThatWaitsAndForNoStranger() {
		this.tolerance = -1; // never steady
		this.deadline = Duration.ofMinutes(10);
		Runs runs = runs();
		WantedByGateways wanted = wanted(runs);
		this.gateway.script = (request) -> request.startsWith("GET /.warmup/state") ? state("gw-1", "search")
				: this.gateway.own(200, "");
		runs.run(Trigger.STARTUP).subscribe();
		Awaitility.await().atMost(TIMEOUT).until(this.gate::isOpen);
		assertThat(wanted.wantedBy("stranger").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).as("does not want it").isEqualTo(RunAnswer.BUSY);
		int before = this.gateway.requests.size();
		Awaitility.await().atMost(TIMEOUT).until(() -> this.gateway.requests.size() > before + 10);
		assertThat(runs.last()).isEmpty();
		this.gateway.script = (request) -> request.startsWith("GET /.warmup/state") ? state("gw-1", "chat-service")
				: this.gateway.own(200, "");
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		Awaitility.await().atMost(TIMEOUT).until(() -> !runs.last().isEmpty());
	}

	@Test
	void nobodyStartsARunThroughAGatewayThatDoesNotWantItIsUnknownOrIsNone() {
		Runs runs = runs();
		runs.run(Trigger.MANUAL).block(TIMEOUT);
		WantedByGateways wanted = wanted(runs);
		this.gateway.script = (request) -> state("gw-1", "search");
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		this.gateway.script = (request) -> state("another", "chat-service");
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		this.gateway.script = (request) -> FakeGateway.Answer.plain(404);
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		assertThat(wanted.wantedBy("stranger").block(TIMEOUT)).isEqualTo(RunAnswer.BUSY);
		assertThat(runs.last()).hasSize(1);
	}

	@Test
	void onlyAServiceWithoutScenariosHasNothingToSend() {
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		Runs runs = runs();
		runs.run(Trigger.STARTUP).block(TIMEOUT);
		assertThat(wanted(runs).wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.NOTHING);
		assertThat(this.gateway.requests).isEmpty();
	}

	@Test
	void withoutARegistryTheGatewayIsFoundAmongThoseThatAreLocated() {
		Runs runs = runs();
		runs.run(Trigger.MANUAL).block(TIMEOUT);
		this.gateway.script = (request) -> request.startsWith("GET /.warmup/state") ? state("gw-1", "chat-service")
				: this.gateway.own(200, "");
		this.located = Mono.just(List.of(this.other.gateway(), this.gateway.gateway()));
		WantedByGateways wanted = new WantedByGateways(parts(), runs, Optional.empty());
		assertThat(wanted.wantedBy("gw-1").block(TIMEOUT)).isEqualTo(RunAnswer.STARTED);
	}

	private FakeGateway.Answer state(String id, String wants) {
		return this.gateway.gatewaysOwn(200)
			.withBody(new InstanceState(id, "gateway", "boot", Phase.COLD, GatePosition.CLOSED, true, false,
					Optional.empty(), Set.of(wants), Optional.empty(), Optional.empty())
				.toJson());
	}

	private WantedByGateways wanted(Runs runs) {
		URI uri = this.gateway.gateway().uri();
		Registered registered = new Registered(new Instance("gateway", "gw-1"), new DefaultServiceInstance("gw-1",
				"gateway", uri.getHost(), uri.getPort(), false, Map.of(Registered.METADATA_KEY, "gateway")),
				Registered.Status.UP);
		return new WantedByGateways(parts(), runs, Optional.of(new FixedRegistry(List.of(registered))));
	}

	private record FixedRegistry(List<Registered> instances) implements Registry {

		@Override
		public Mono<Optional<Registered>> read(String instanceId) {
			return Mono.just(Optional.empty());
		}

	}

}
