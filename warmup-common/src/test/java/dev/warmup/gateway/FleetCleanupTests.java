package dev.warmup.gateway;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

	/** What changed lately in the registry. */
	private final Set<String> recent = new HashSet<>(Set.of("chat-1"));

	private final InstanceLookup lookup = Mockito.mock(InstanceLookup.class);

	private final FleetCleanup cleanup = new FleetCleanup(this.fleet, this.lookup, this.clock);

	/** What a look-up finds that nothing else shows. */
	private final Set<String> hidden = new HashSet<>();

	private boolean away;

	@BeforeEach
	void prepare() {
		Mockito.when(this.lookup.known(ArgumentMatchers.any()))
			.thenAnswer((call) -> Optional.of(call.<String>getArgument(0))
				.filter(this.known::contains)
				.map(FleetCleanupTests::instance));
		Mockito.when(this.lookup.recent())
			.thenAnswer((call) -> this.away ? Mono.error(new IllegalStateException("away")) : Mono
				.just(this.recent.stream().collect(Collectors.toMap((id) -> id, FleetCleanupTests::instance))));
		Mockito.when(this.lookup.find(ArgumentMatchers.any()))
			.thenAnswer((call) -> this.away ? Mono.error(new IllegalStateException("away"))
					: Mono.just(Optional.of(call.<String>getArgument(0))
						.filter(this.hidden::contains)
						.map(FleetCleanupTests::instance)));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
	}

	@Test
	void instanceThatWasKilledIsForgottenAfterFiveMinutes() {
		this.known.clear();
		this.recent.clear();
		check(Duration.ZERO);
		check(Duration.ofMinutes(5).minusSeconds(1));
		assertThat(instances()).containsExactly("chat-1");
		check(Duration.ofSeconds(1));
		assertThat(instances()).isEmpty();
	}

	@Test
	void instanceInTheLocalCopyStaysWithoutARequest() {
		check(Duration.ZERO);
		check(Duration.ofMinutes(10));
		Mockito.verify(this.lookup, Mockito.never()).recent();
		assertThat(instances()).containsExactly("chat-1");
	}

	@Test
	void instanceThatComesBackCountsAnew() {
		this.known.clear();
		this.recent.clear();
		check(Duration.ZERO);
		this.recent.add("chat-1");
		check(Duration.ofMinutes(4));
		this.recent.clear();
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
		this.recent.clear();
		this.away = true;
		check(Duration.ZERO);
		check(Duration.ofMinutes(10));
		this.away = false;
		check(Duration.ofMinutes(10));
		assertThat(instances()).containsExactly("chat-1");
		check(Duration.ofMinutes(5));
		assertThat(instances()).isEmpty();
	}

	/** An application's own look-up may have neither a local copy nor recent changes. */
	@Test
	void instanceThatOnlyALookupFindsStays() {
		this.known.clear();
		this.recent.clear();
		this.hidden.add("chat-1");
		for (int i = 0; i < 4; i++) {
			check(Duration.ofMinutes(5));
		}
		assertThat(instances()).containsExactly("chat-1");
		Mockito.verify(this.lookup, Mockito.times(2)).find("chat-1");
		this.hidden.clear();
		check(Duration.ofMinutes(5));
		check(Duration.ofMinutes(5));
		assertThat(instances()).isEmpty();
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

	private static ServiceInstance instance(String id) {
		return new DefaultServiceInstance(id, "chat-service", "localhost", 8080, false);
	}

}
