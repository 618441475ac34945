package dev.warmup.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class OwnStateTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final Gate gate = new Gate(true, (event) -> {
	});

	private final OwnState state = Runs.state(this.gate, true);

	@Test
	void aTokenIsKnownOnceItIsUsedAndUntilTheRunEnds() {
		OwnState.Tokens tokens = this.state.beginRun(() -> Runs.run(Optional.empty()));
		assertThat(this.state.phase()).isEqualTo(Phase.WARMING);
		Token token = tokens.use("gw-1");
		assertThat(tokens.use("gw-1")).isEqualTo(token);
		assertThat(this.state.find(token)).contains(new WarmupContext("host:1", "r-1"));
		assertThat(this.state.find(Token.Secret.generate().forGateway("gw-1"))).isEmpty();
		this.state.endRun(Runs.run(Optional.of(Verdict.DEGRADED)), Optional::empty);
		assertThat(this.state.find(token)).isEmpty();
		assertThat(this.state.phase()).isEqualTo(Phase.DEGRADED);
	}

	@Test
	void theStateHasEachGatewaysHashAndNoToken() {
		OwnState.Tokens tokens = this.state.beginRun(() -> Runs.run(Optional.empty()));
		Token token = tokens.use("gw-1");
		InstanceState read = read(this.state, "gw-1");
		assertThat(read.tokenHash()).contains(token.hash());
		assertThat(read(this.state, "gw-2").tokenHash()).isPresent().isNotEqualTo(read.tokenHash());
		assertThat(new String(read.toJson(), StandardCharsets.UTF_8)).doesNotContain(token.value());
		assertThat(read.run().orElseThrow().requests()).isEmpty();
		assertThat(read.instance()).isEqualTo(Runs.SELF);
	}

	@Test
	void anotherProcessIsAnotherIncarnation() {
		assertThat(read(this.state, "gw-1").boot()).isEqualTo(read(this.state, "gw-2").boot())
			.isNotEqualTo(read(Runs.state(this.gate, true), "gw-1").boot());
	}

	@Test
	void usersMayComeWhileTheGateIsOpenTheApplicationAcceptsThemAndDoesNotStop() {
		assertThat(read(this.state, "gw-1")).matches((read) -> !read.takesUsers())
			.returns(GatePosition.CLOSED, InstanceState::gate);
		this.gate.open();
		assertThat(read(this.state, "gw-1").takesUsers()).isTrue();
		assertThat(read(Runs.state(this.gate, false), "gw-1").takesUsers()).isFalse();
		this.gate.leave();
		assertThat(read(this.state, "gw-1")).matches(InstanceState::leaving).matches((read) -> !read.takesUsers());
	}

	@Test
	void usersAreRefusedWhereTheApplicationsReadinessFailsOrHasNeverAnswered() {
		OwnState failing = new OwnState(() -> Runs.SELF, this.gate, () -> Mono.error(new IllegalStateException()),
				new MutableClock());
		assertThat(read(failing, "gw-1").accepting()).isFalse();
		OwnState hanging = new OwnState(() -> Runs.SELF, this.gate, Mono::never, new MutableClock());
		StepVerifier.withVirtualTime(() -> hanging.read("gw-1", Set.of(), Optional.empty()))
			.thenAwait(Duration.ofSeconds(1))
			.assertNext((read) -> assertThat(read.accepting()).isFalse())
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void anApplicationWhoseReadinessIsSlowSaysWhatItSaidLast() {
		AtomicReference<Mono<Boolean>> readiness = new AtomicReference<>(Mono.just(true));
		OwnState slow = new OwnState(() -> Runs.SELF, this.gate, readiness::get, new MutableClock());
		for (boolean last : new boolean[] { true, false }) {
			readiness.set(Mono.just(last));
			assertThat(read(slow, "gw-1").accepting()).isEqualTo(last);
			readiness.set(Mono.never());
			StepVerifier.withVirtualTime(() -> slow.read("gw-1", Set.of(), Optional.empty()))
				.thenAwait(Duration.ofSeconds(1))
				.assertNext((read) -> assertThat(read.accepting()).isEqualTo(last))
				.expectComplete()
				.verify(TIMEOUT);
		}
	}

	private static InstanceState read(OwnState state, String gateway) {
		return state.read(gateway, Set.of(), Optional.empty()).blockOptional(TIMEOUT).orElseThrow();
	}

}
