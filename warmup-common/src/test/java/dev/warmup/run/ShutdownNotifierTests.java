package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.warmup.CapturedLog;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

class ShutdownNotifierTests {

	private final RunFixture fixture = new RunFixture();

	private final List<Gateway> told = new ArrayList<>();

	private final List<WarmupClaim> claims = new ArrayList<>();

	private Function<Gateway, Mono<Boolean>> answer = (gateway) -> Mono.just(true);

	private Mono<List<Gateway>> located = Mono.just(List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY));

	private final AtomicBoolean left = new AtomicBoolean();

	private final ShutdownNotifier leaving = new ShutdownNotifier(() -> RunFixture.SELF, locator(), door(),
			this.fixture.gate, RunFixture.TOKEN, this.fixture.time);

	@BeforeEach
	void openTheGate() {
		this.fixture.gate.onConcluded(Optional.of(Phase.WARM));
	}

	@Test
	void everyGatewayIsToldAndUsersOnTheirWayAreGivenAMoment() {
		leave();
		assertThat(this.told).containsExactly(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);
		assertThat(this.claims).allSatisfy((claim) -> {
			assertThat(claim.instanceId()).isEqualTo("host:1");
			assertThat(claim.token()).hasValue(RunFixture.TOKEN.value());
			assertThat(WarmupClaim.parse(claim.format())).contains(claim);
		});
		pass(ShutdownNotifier.GRACE.minusMillis(1));
		assertThat(this.left).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.left).isTrue();
		assertThat(this.leaving.isRunning()).isFalse();
	}

	@Test
	void aGatewayThatHangsHoldsTheShutdownUpForTwoSecondsAtMost() {
		this.answer = (gateway) -> gateway.equals(RunFixture.GATEWAY) ? Mono.never() : Mono.just(true);
		leave();
		assertThat(this.told).hasSize(2);
		pass(ShutdownNotifier.LIMIT);
		assertThat(this.left).isFalse();
		pass(ShutdownNotifier.GRACE);
		assertThat(this.left).isTrue();
	}

	@Test
	void nobodyIsWaitedForWhereNoGatewayKnowsTheInstance() {
		this.answer = (gateway) -> Mono.just(false);
		leave();
		assertThat(this.told).hasSize(2);
		assertThat(this.left).isTrue();
	}

	@Test
	void aRegistryThatIsGoneDoesNotHoldUpTheShutdownNorMakeNoise() {
		this.located = Mono.error(new IllegalStateException("registry gone"));
		try (CapturedLog log = CapturedLog.of(ShutdownNotifier.class)) {
			leave();
			assertThat(log.lines()).isEmpty();
		}
		assertThat(this.left).isTrue();
	}

	@Test
	void aRegistryThatHangsHoldsTheShutdownUpForTwoSecondsAtMost() {
		this.located = Mono.never();
		leave();
		pass(ShutdownNotifier.LIMIT.minusMillis(1));
		assertThat(this.left).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.left).isTrue();
	}

	@Test
	void anInstanceWhoseGateIsClosedGoesWithoutAWord() {
		ShutdownNotifier closed = new ShutdownNotifier(() -> RunFixture.SELF, locator(), door(), new RunFixture().gate,
				RunFixture.TOKEN, this.fixture.time);
		closed.stop(() -> this.left.set(true));
		assertThat(this.left).isTrue();
		assertThat(this.told).isEmpty();
	}

	@Test
	void itComesAfterTheRunWasStoppedAndBeforeTheWebServerIs() {
		assertThat(this.leaving.getPhase()).isLessThan(SmartLifecycle.DEFAULT_PHASE)
			.isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
	}

	private void leave() {
		this.leaving.start();
		assertThat(this.leaving.isRunning()).isTrue();
		this.leaving.stop(() -> this.left.set(true));
	}

	private void pass(Duration duration) {
		this.fixture.time.advanceTimeBy(duration);
	}

	private GatewayLocator locator() {
		return new GatewayLocator() {

			@Override
			public Mono<List<Gateway>> locate() {
				return ShutdownNotifierTests.this.located;
			}

			@Override
			public String description() {
				return "gateways of the test";
			}

		};
	}

	private GatewayClient door() {
		return new GatewayClient() {

			@Override
			public Mono<RegistrationCheck> knock(Gateway gateway, WarmupClaim claim) {
				return Mono.error(new IllegalStateException("nobody knocks when leaving"));
			}

			@Override
			public Mono<Boolean> leave(Gateway gateway, WarmupClaim claim) {
				ShutdownNotifierTests.this.told.add(gateway);
				ShutdownNotifierTests.this.claims.add(claim);
				return ShutdownNotifierTests.this.answer.apply(gateway);
			}

		};
	}

}
