package dev.warmup.gateway;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.discovery.InstanceLookup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Which instances a gateway forgets, and what it asks discovery for that. */
class FleetCleanupTests {

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock, Runnable::run);

	/** In the local copy. */
	private final Set<String> known = new HashSet<>(Set.of("chat-1"));

	/** In the registry. */
	private final Set<String> registered = new HashSet<>(Set.of("chat-1"));

	private final InstanceLookup lookup = Mockito.mock(InstanceLookup.class);

	private final FleetCleanup cleanup = new FleetCleanup(this.fleet, this.lookup, this.clock);

	private boolean away;

	@BeforeEach
	void prepare() {
		Mockito.when(this.lookup.known(ArgumentMatchers.any()))
			.thenAnswer((call) -> instance(this.known, call.getArgument(0)));
		Mockito.when(this.lookup.find(ArgumentMatchers.any()))
			.thenAnswer((call) -> this.away ? Mono.error(new IllegalStateException("away"))
					: Mono.just(instance(this.registered, call.getArgument(0))));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
	}

	@Test
	void instanceThatWasKilledIsForgottenAfterFiveMinutes() {
		this.known.clear();
		this.registered.clear();
		check(Duration.ZERO);
		check(Duration.ofMinutes(5).minusSeconds(1));
		assertThat(instances()).containsExactly("chat-1");
		check(Duration.ofSeconds(1));
		assertThat(instances()).isEmpty();
	}

	@Test
	void instanceInTheLocalCopyIsNotLookedUp() {
		check(Duration.ZERO);
		check(Duration.ofMinutes(10));
		Mockito.verify(this.lookup, Mockito.never()).find(ArgumentMatchers.any());
		assertThat(instances()).containsExactly("chat-1");
	}

	@Test
	void instanceThatComesBackCountsAnew() {
		this.known.clear();
		this.registered.clear();
		check(Duration.ZERO);
		this.registered.add("chat-1");
		check(Duration.ofMinutes(4));
		this.registered.clear();
		check(Duration.ofMinutes(4));
		this.known.add("chat-1");
		check(Duration.ofMinutes(4));
		this.known.clear();
		check(Duration.ofMinutes(4));
		assertThat(instances()).as("never missing for five minutes").containsExactly("chat-1");
	}

	@Test
	void registryThatWasAwayProvesNothing() {
		this.known.clear();
		this.registered.clear();
		this.away = true;
		check(Duration.ZERO);
		check(Duration.ofMinutes(10));
		this.away = false;
		check(Duration.ofMinutes(10));
		assertThat(instances()).containsExactly("chat-1");
		check(Duration.ofMinutes(5));
		assertThat(instances()).isEmpty();
	}

	@Test
	void checkEndsAtAFailureAndAfterTenLookups() {
		IntStream.range(0, 100)
			.forEach((i) -> this.fleet.reported(Reports.warm("chat-service", "missing-" + i, "run-" + i)));
		check(Duration.ZERO);
		Mockito.verify(this.lookup, Mockito.times(10)).find(ArgumentMatchers.any());
		this.away = true;
		check(Duration.ZERO);
		Mockito.verify(this.lookup, Mockito.times(11)).find(ArgumentMatchers.any());
	}

	@Test
	void allThatAreMissingAreForgottenThoughOthersAreInNoLocalCopy() {
		for (int i = 0; i < 20; i++) {
			this.registered.add("remote-" + i);
			this.fleet.reported(Reports.warm("chat-service", "remote-" + i, "run-" + i));
			this.fleet.reported(Reports.warm("chat-service", "missing-" + i, "run-" + i));
		}
		for (int i = 0; i < 20; i++) {
			check(Duration.ofSeconds(30));
		}
		assertThat(instances()).hasSize(21).allMatch(this.registered::contains);
	}

	@Test
	void eachReadingOfDiscoveryStartsACheck() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(FleetCleanup.class, () -> this.cleanup);
			context.refresh();
			context.publishEvent(new HeartbeatEvent(this, 1));
			Mockito.verify(this.lookup).known("chat-1");
		}
	}

	private void check(Duration later) {
		this.clock.advance(later);
		StepVerifier.create(this.cleanup.check()).expectComplete().verify(Duration.ofSeconds(30));
	}

	private List<String> instances() {
		return this.fleet.entries().stream().map(Fleet.Entry::instanceId).toList();
	}

	private static Optional<ServiceInstance> instance(Set<String> ids, String id) {
		return ids.contains(id) ? Optional.of(new DefaultServiceInstance(id, "chat-service", "localhost", 8080, false))
				: Optional.empty();
	}

}
