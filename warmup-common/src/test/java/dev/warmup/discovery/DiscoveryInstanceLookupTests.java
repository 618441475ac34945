package dev.warmup.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class DiscoveryInstanceLookupTests {

	private static final ServiceInstance CHAT = instance("chat-1", "chat");

	private static final ServiceInstance BOTS = instance("bots-1", "bots");

	private final DiscoveryClient discovery = mock(DiscoveryClient.class);

	private final MutableClock clock = new MutableClock();

	private final DiscoveryInstanceLookup lookup = new DiscoveryInstanceLookup(this.discovery, this.clock,
			Schedulers.boundedElastic());

	@Test
	void instanceIsFoundAmongAllServices() {
		register();
		expect("bots-1", Optional.of(BOTS));
		expect("chat-1", Optional.of(CHAT));
		expect("nobody", Optional.empty());
	}

	@Test
	void instanceWithoutAnIdIsPassedOver() {
		given(this.discovery.getServices()).willReturn(List.of("chat"));
		given(this.discovery.getInstances("chat")).willReturn(List.of(instance(null, "chat"), CHAT));
		expect("chat-1", Optional.of(CHAT));
	}

	@Test
	void discoveryMayBlock() {
		given(this.discovery.getServices()).willAnswer((invocation) -> {
			Thread.sleep(1);
			return List.of();
		});
		StepVerifier.create(Mono.defer(() -> this.lookup.find("chat-1")).subscribeOn(Schedulers.parallel()))
			.expectNext(Optional.empty())
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void failureOfDiscoveryIsTheLookups() {
		given(this.discovery.getServices()).willThrow(new IllegalStateException("gone"));
		StepVerifier.create(this.lookup.find("chat-1")).expectErrorMessage("gone").verify(Duration.ofSeconds(30));
	}

	@Test
	void whatWasReadOfOthersIsKnownForFiveSeconds() {
		register();
		assertThat(this.lookup.known("chat-1")).isEmpty();
		expect("bots-1", Optional.of(BOTS));
		assertThat(this.lookup.known("chat-1")).hasValue(CHAT);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.lookup.known("chat-1")).isEmpty();
	}

	private void register() {
		given(this.discovery.getServices()).willReturn(List.of("chat", "bots"));
		given(this.discovery.getInstances("chat")).willReturn(List.of(CHAT));
		given(this.discovery.getInstances("bots")).willReturn(List.of(BOTS));
	}

	private void expect(String instanceId, Optional<ServiceInstance> found) {
		StepVerifier.create(this.lookup.find(instanceId))
			.expectNext(found)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	private static ServiceInstance instance(String instanceId, String service) {
		return new DefaultServiceInstance(instanceId, service, "localhost", 8080, false);
	}

}
