package dev.warmup.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.run.WarmupRunner;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** What a gateway's request is answered, by what the runner can do. */
class GatewayWarmupsTests {

	private static final String CLAIM = Claims.of("gateway-1", SignedClaim.Scope.ASK, "ask");

	private final MutableClock clock = new MutableClock();

	private final WarmupRunner runner = Mockito.mock(WarmupRunner.class);

	private Optional<ServiceInstance> registered = Optional
		.of(new DefaultServiceInstance("gateway-1", "GATEWAY", "localhost", 80, false, Map.of()));

	private final GatewayWarmups warmups = new GatewayWarmups(
			(claim, scope) -> Mono.just(new ClaimVerifier.Verification.Verified(
					SignedClaim.read(claim.jwt().orElseThrow()).orElseThrow(), this.registered)),
			"gateway", this.runner, this.clock);

	@Test
	void noRunIsStartedAheadOfTheInstancesOwn() {
		Mockito.when(this.runner.isFirstRunDue()).thenReturn(true);
		assertThat(status()).isEqualTo(409);
		Mockito.verify(this.runner, Mockito.never()).startThrough(ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	@Test
	void onlyARunThatWasStartedHasToBeTenSecondsOld() {
		Mockito.when(this.runner.startThrough(ArgumentMatchers.any(), ArgumentMatchers.any()))
			.thenReturn(Optional.empty())
			.thenReturn(Optional.of("r-1"));
		assertThat(status()).isEqualTo(409);
		assertThat(status()).isEqualTo(202);
		this.clock.advance(Duration.ofSeconds(10).minusMillis(1));
		assertThat(status()).isEqualTo(429);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(status()).isEqualTo(202);
	}

	@Test
	void claimThatASharedSecretProvesWithoutDiscoveryIsForbidden() {
		this.registered = Optional.empty();
		assertThat(status()).isEqualTo(403);
	}

	private int status() {
		Mockito.when(this.runner.hasWork(ArgumentMatchers.any())).thenReturn(Mono.just(true));
		return this.warmups.request("gateway-1", List.of(CLAIM), "startup").block(Duration.ofSeconds(30)).status();
	}

}
