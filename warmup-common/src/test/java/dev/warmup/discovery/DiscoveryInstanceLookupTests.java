package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.warmup.MutableClock;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.InstanceProperties;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

@ExtendWith(OutputCaptureExtension.class)
class DiscoveryInstanceLookupTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final ServiceInstance CHAT = instance("chat-1", "chat");

	private static final ServiceInstance BOTS = instance("bots-1", "bots");

	private final DiscoveryClient discovery = mock(DiscoveryClient.class);

	private final MutableClock clock = new MutableClock();

	private final DiscoveryInstanceLookup lookup = new DiscoveryInstanceLookup(this.discovery, this.clock,
			Schedulers.boundedElastic());

	@Test
	void instanceIsFoundAmongAllServicesAndKnownForFiveSeconds() {
		given(this.discovery.getServices()).willAnswer((invocation) -> {
			Thread.sleep(1); // as discovery may
			return List.of("chat", "bots");
		});
		given(this.discovery.getInstances("chat")).willReturn(List.of(instance(null, "chat"), CHAT));
		given(this.discovery.getInstances("bots")).willReturn(List.of(BOTS));
		assertThat(this.lookup.known("chat-1")).isEmpty();
		expect("bots-1", Optional.of(BOTS));
		assertThat(this.lookup.known("chat-1")).hasValue(CHAT);
		expect("chat-1", Optional.of(CHAT));
		expect("unknown", Optional.empty());
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.lookup.known("chat-1")).isEmpty();
	}

	@Test
	void failureOfDiscoveryFailsTheLookup() {
		given(this.discovery.getServices()).willThrow(new IllegalStateException("gone"));
		StepVerifier.create(this.lookup.find("chat-1")).expectErrorMessage("gone").verify(TIMEOUT);
	}

	@Test
	void lookupsShareOnePassThatGoesOnWhenTheyAreCanceledAndIsDatedAtItsEnd() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		given(this.discovery.getServices()).willAnswer((invocation) -> {
			begun.countDown();
			assertThat(answer.await(30, TimeUnit.SECONDS)).isTrue();
			return List.of("chat");
		});
		given(this.discovery.getInstances("chat")).willReturn(List.of(CHAT));
		StepVerifier.create(this.lookup.find("forged"))
			.then(() -> Awaitility.await().until(() -> begun.getCount() == 0))
			.thenCancel()
			.verify(TIMEOUT);
		StepVerifier.create(Flux.range(1, 100).flatMap((i) -> this.lookup.find("chat-" + i), 100).collectList())
			.then(() -> {
				this.clock.advance(Duration.ofSeconds(10));
				answer.countDown();
			})
			.assertNext((found) -> assertThat(found).hasSize(100).containsOnlyOnce(Optional.of(CHAT)))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.lookup.known("chat-1")).hasValue(CHAT);
		StepVerifier.create(this.lookup.recent()).expectNext(Map.of("chat-1", CHAT)).expectComplete().verify(TIMEOUT);
		verify(this.discovery, times(1)).getServices();
		this.clock.advance(Duration.ofSeconds(1));
		expect("chat-1", Optional.of(CHAT));
		verify(this.discovery, times(2)).getServices();
	}

	@Test
	void passThatHangsIsInterruptedAndItsLateFailureIsNotLoggedAsAnError(CapturedOutput output) {
		Scheduler single = Schedulers.newBoundedElastic(1, 10, "late");
		CountDownLatch begun = new CountDownLatch(1);
		given(this.discovery.getServices()).willAnswer((invocation) -> {
			begun.countDown();
			try {
				Thread.sleep(60_000);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return List.of();
		});
		try {
			StepVerifier
				.withVirtualTime(() -> new DiscoveryInstanceLookup(this.discovery, this.clock, single).find("chat-1"))
				.then(() -> Awaitility.await().until(() -> begun.getCount() == 0))
				.thenAwait(Duration.ofSeconds(30))
				.expectError(TimeoutException.class)
				.verify(TIMEOUT);
			StepVerifier.create(Mono.just("free").publishOn(single))
				.expectNext("free")
				.expectComplete()
				.verify(TIMEOUT);
			assertThat(output).doesNotContain("onErrorDropped");
		}
		finally {
			single.dispose();
		}
	}

	@Test
	void clientForInstancesInPropertiesIsNoRegistryWhereThereAreNone() {
		SimpleDiscoveryProperties properties = new SimpleDiscoveryProperties();
		SimpleDiscoveryClient simple = new SimpleDiscoveryClient(properties);
		StepVerifier.create(new DiscoveryInstanceLookup(simple, this.clock, Schedulers.boundedElastic()).find("chat-1"))
			.expectErrorMessage("there is no registry")
			.verify(TIMEOUT);
		DiscoveryClient composite = new CompositeDiscoveryClient(new ArrayList<>(List.of(simple)));
		assertThat(verifyByASecret(composite)).isInstanceOf(ClaimVerifier.Verification.Verified.class);
		assertThat(verifyByASecret(new CompositeDiscoveryClient(new ArrayList<>(List.of(simple, this.discovery)))))
			.as("a registry")
			.isInstanceOf(ClaimVerifier.Verification.Unavailable.class);
		properties.setInstances(Map.of("bots", List.of(new InstanceProperties())));
		assertThat(verifyByASecret(composite)).as("instances in properties")
			.isInstanceOf(ClaimVerifier.Verification.Unavailable.class);
	}

	private ClaimVerifier.Verification verifyByASecret(DiscoveryClient client) {
		WarmupKey secret = WarmupKey.shared("a secret of services and gateways", Clock.systemUTC());
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("lookup", new DiscoveryInstanceLookup(client, this.clock, Schedulers.boundedElastic()));
		return new DiscoveryConfiguration()
			.warmupClaimVerifier(beans.getBeanProvider(InstanceLookup.class), secret,
					() -> new Instance("gateway", "gateway-1"))
			.verify(secret.claim("chat-1", "gateway", SignedClaim.Scope.REPLAY, "r"), SignedClaim.Scope.REPLAY)
			.blockOptional(TIMEOUT)
			.orElseThrow();
	}

	private void expect(String instanceId, Optional<ServiceInstance> found) {
		StepVerifier.create(Mono.defer(() -> this.lookup.find(instanceId)).subscribeOn(Schedulers.parallel()))
			.expectNext(found)
			.expectComplete()
			.verify(TIMEOUT);
	}

	private static ServiceInstance instance(String instanceId, String service) {
		return new DefaultServiceInstance(instanceId, service, "localhost", 8080, false);
	}

}
