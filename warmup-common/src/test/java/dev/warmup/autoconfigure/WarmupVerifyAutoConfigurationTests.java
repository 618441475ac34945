package dev.warmup.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.DiscoveryInstanceLookup;
import dev.warmup.discovery.EurekaInstanceLookup;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.discovery.RegistryClaimVerifier;
import dev.warmup.discovery.SharedTokenVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class WarmupVerifyAutoConfigurationTests {

	private static final Optional<String> TOKEN = Optional.of("token-of-the-tests");

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway();

	private final ReactiveWebApplicationContextRunner discovering = this.gateway.withBean(DiscoveryClient.class,
			() -> mock(DiscoveryClient.class));

	@Test
	void gatewaysAndServicesAskDiscovery() {
		for (ReactiveWebApplicationContextRunner each : List.of(this.gateway, Warmup.reactiveService())) {
			each.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
				.run((context) -> assertThat(context).hasSingleBean(DiscoveryInstanceLookup.class)
					.hasSingleBean(RegistryClaimVerifier.class)
					.hasSingleBean(ClaimVerifier.class));
		}
		Warmup.servletService()
			.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
			.run((context) -> assertThat(context).hasSingleBean(RegistryClaimVerifier.class));
	}

	@Test
	void eurekaIsAskedDirectly() {
		this.discovering.withBean(EurekaClient.class, () -> mock(EurekaClient.class))
			.withBean(TransportClientFactories.class, () -> mock(TransportClientFactories.class))
			.run((context) -> assertThat(context).hasSingleBean(InstanceLookup.class)
				.hasSingleBean(EurekaInstanceLookup.class)
				.hasSingleBean(RegistryClaimVerifier.class));
	}

	@Test
	void discoveryIsAskedWithoutEurekaOnTheClassPath() {
		Warmup.reactiveService("com.netflix", "org.springframework.cloud.netflix")
			.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
			.run((context) -> assertThat(context).hasSingleBean(DiscoveryInstanceLookup.class));
	}

	@Test
	void onlyTheSharedTokenCountsWithoutDiscovery() {
		this.gateway.withPropertyValues("warmup.token=token-of-the-tests").run((context) -> {
			assertThat(context).hasSingleBean(SharedTokenVerifier.class).doesNotHaveBean(InstanceLookup.class);
			expect(context.getBean(ClaimVerifier.class), new Verification.Verified(Optional.empty()));
		});
	}

	@Test
	void nothingIsBelievedWithoutDiscoveryAndSharedToken() {
		this.gateway.run((context) -> expect(context.getBean(ClaimVerifier.class), new Verification.Rejected()));
		Warmup.reactiveService("org.springframework.cloud")
			.run((context) -> assertThat(context).hasSingleBean(SharedTokenVerifier.class));
	}

	@Test
	void sharedTokenCountsBesideDiscovery() {
		this.discovering.withPropertyValues("warmup.token=token-of-the-tests")
			.run((context) -> StepVerifier
				.create(context.getBean(ClaimVerifier.class).verify(new WarmupClaim("chat-1", TOKEN, "r")))
				.expectNext(new Verification.Verified(Optional.empty()))
				.expectComplete()
				.verify(Duration.ofSeconds(30)));
	}

	@Test
	void nobodyVerifiesWhenDisabled() {
		this.discovering.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(InstanceLookup.class)
				.doesNotHaveBean(ClaimVerifier.class));
	}

	@Test
	void lookupGivesWay() {
		InstanceLookup own = (id) -> Mono.just(Optional.empty());
		this.discovering.withBean(EurekaClient.class, () -> mock(EurekaClient.class))
			.withBean(TransportClientFactories.class, () -> mock(TransportClientFactories.class))
			.withBean(InstanceLookup.class, () -> own)
			.run((context) -> assertThat(context).getBean(InstanceLookup.class).isSameAs(own));
		this.discovering.withBean(InstanceLookup.class, () -> own)
			.run((context) -> assertThat(context).getBean(InstanceLookup.class).isSameAs(own));
	}

	@Test
	void verifierGivesWay() {
		ClaimVerifier own = (claim) -> Mono.just(new Verification.Rejected());
		for (ReactiveWebApplicationContextRunner each : List.of(this.gateway, this.discovering)) {
			each.withBean(ClaimVerifier.class, () -> own)
				.run((context) -> assertThat(context).getBean(ClaimVerifier.class).isSameAs(own));
		}
	}

	private static void expect(ClaimVerifier verifier, Verification verification) {
		StepVerifier.create(verifier.verify(new WarmupClaim("chat-1", TOKEN, "r")))
			.expectNext(verification)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

}
