package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.warmup.CapturedLog;
import dev.warmup.Gateway;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ShutdownNotifierTests {

	private final RunFixture fixture = new RunFixture();

	private final List<Gateway> asked = new ArrayList<>();

	private final List<WarmupClaim> claims = new ArrayList<>();

	private Function<Gateway, Mono<Boolean>> answer = (gateway) -> Mono.just(true);

	private Mono<List<Gateway>> located = Mono.just(List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY));

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final GatewayClient client = new GatewayClient(WebClient.create(), RunFixture.KEY, "gateway") {

		@Override
		Mono<Boolean> deregister(Gateway gateway, WarmupClaim claim) {
			ShutdownNotifierTests.this.asked.add(gateway);
			ShutdownNotifierTests.this.claims.add(claim);
			return ShutdownNotifierTests.this.answer.apply(gateway);
		}

	};

	private final ShutdownNotifier notifier = new ShutdownNotifier(() -> RunFixture.SELF,
			RunFixture.locator(() -> this.located), this.client, this.fixture.gate, this.fixture.time);

	@BeforeEach
	void openTheGate() {
		this.fixture.gate.onConcluded(Optional.of(Phase.WARM));
	}

	@Test
	void theInstanceDeregistersFromEveryGatewayAndWaitsForRequestsAlreadyRouted() {
		stop();
		assertThat(this.asked).containsExactly(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);
		assertThat(this.claims).allSatisfy((claim) -> {
			assertThat(claim.instanceId()).isEqualTo("host:1");
			assertThat(claim.jwt().filter(RunFixture.KEY::verifies)).isPresent();
			assertThat(SignedClaim.read(claim.jwt().orElseThrow()).orElseThrow().scope()).isEqualTo(ClaimScope.LEAVE);
			assertThat(WarmupClaim.parse(claim.format())).contains(claim);
		});
		assertStoppedAfter(ShutdownNotifier.GRACE);
		assertThat(this.notifier.isRunning()).isFalse();
	}

	@Test
	void aGatewayThatHangsHoldsTheShutdownUpForTwoSecondsAtMost() {
		this.answer = (gateway) -> gateway.equals(RunFixture.GATEWAY) ? Mono.never() : Mono.just(true);
		stop();
		assertThat(this.asked).hasSize(2);
		assertStoppedAfter(ShutdownNotifier.LIMIT.plus(ShutdownNotifier.GRACE));
	}

	@Test
	void itDoesNotWaitWhereNoGatewayConfirms() {
		this.answer = (gateway) -> Mono.just(false);
		stop();
		assertThat(this.asked).hasSize(2);
		assertThat(this.stopped).isTrue();
	}

	@Test
	void aRegistryThatIsGoneDoesNotDelayTheShutdownAndIsNotLogged() {
		this.located = Mono.error(new IllegalStateException("registry gone"));
		try (CapturedLog log = CapturedLog.of(ShutdownNotifier.class)) {
			stop();
			assertThat(log.lines()).isEmpty();
		}
		assertThat(this.stopped).isTrue();
	}

	@Test
	void anInstanceWhoseGateIsClosedDoesNotDeregister() {
		new ShutdownNotifier(() -> RunFixture.SELF, RunFixture.locator(() -> this.located), this.client,
				new RunFixture().gate, this.fixture.time)
			.stop(() -> this.stopped.set(true));
		assertThat(this.stopped).isTrue();
		assertThat(this.asked).isEmpty();
	}

	@Test
	void itComesAfterTheRunWasStoppedAndBeforeTheWebServerIs() {
		assertThat(this.notifier.getPhase()).isLessThan(SmartLifecycle.DEFAULT_PHASE)
			.isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
	}

	private void stop() {
		this.notifier.start();
		assertThat(this.notifier.isRunning()).isTrue();
		this.notifier.stop(() -> this.stopped.set(true));
	}

	private void assertStoppedAfter(Duration duration) {
		this.fixture.pass(duration.minusMillis(1));
		assertThat(this.stopped).isFalse();
		this.fixture.pass(Duration.ofMillis(1));
		assertThat(this.stopped).isTrue();
	}

}
