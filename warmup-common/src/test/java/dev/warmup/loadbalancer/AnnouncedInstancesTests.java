package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.warmup.Instances;
import dev.warmup.MutableClock;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class AnnouncedInstancesTests {

	private static final Duration MOMENT = Duration.ofMillis(1);

	private static final ServiceInstance A = Instances.of("a");

	private static final ServiceInstance B = Instances.of("b");

	/** What the registry says takes no users. */
	private final Set<String> refusing = new HashSet<>();

	private final MutableClock clock = new MutableClock();

	private final List<Optional<String>> evictions = new ArrayList<>();

	private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();

	private final AnnouncedInstances announced = new AnnouncedInstances(this.clock,
			(instance) -> this.refusing.contains(instance.getInstanceId()), this.evictions::add, this.scheduler);

	@Test
	void openingLastsTenMinutesAtMost() {
		this.announced.opened(B);
		assertThat(ids("chat", A)).containsExactly("a", "b");
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(ids("chat", A)).containsExactly("a", "b");
		this.clock.advance(MOMENT);
		assertThat(ids("chat", A)).containsExactly("a");
	}

	@Test
	void openingEndsOnceTheRegistryListsTheInstanceForItsService() {
		this.announced.opened(B);
		assertThat(ids("mail", B)).containsExactly("b");
		assertThat(ids("chat", A)).containsExactly("a", "b");
		assertThat(ids("chat", A, B)).containsExactly("a", "b");
		assertThat(ids("chat", A)).containsExactly("a");
	}

	@Test
	void registryRefusesTheVeryInstanceAndNotAnEarlierOneOfItsId() {
		InstanceLookup lookup = Mockito.mock(InstanceLookup.class);
		Mockito.when(lookup.refusesUsers(Mockito.any())).thenReturn(true);
		AnnouncedInstances instances = new LoadBalancerConfiguration().warmupAnnouncedInstances(
				new StaticListableBeanFactory(Map.of("lookup", lookup)).getBeanProvider(InstanceLookup.class),
				new StaticListableBeanFactory().getBeanProvider(LoadBalancerClientFactory.class),
				new StaticApplicationContext());
		ServiceInstance opened = Instances.keyed("b", "new");
		instances.opened(opened);
		Mockito.when(lookup.known("b")).thenReturn(Optional.of(Instances.keyed("b", "old")));
		assertThat(instances.routable("chat", List.of())).hasSize(1);
		Mockito.when(lookup.known("b")).thenReturn(Optional.of(opened));
		assertThat(instances.routable("chat", List.of())).isEmpty();
	}

	@Test
	void restartedInstanceTakesUsersWhileTheRegistryStillListsItsPredecessor() {
		ServiceInstance before = Instances.keyed("b", "old");
		ServiceInstance after = Instances.keyed("b", "new");
		this.announced.deregistered("b", Optional.of(before));
		this.announced.registered(after);
		assertThat(ids("chat", A, before)).containsExactly("a");
		this.announced.opened(after);
		assertThat(routable(A, before)).containsExactly("a", "b new");
		assertThat(routable(A)).containsExactly("a", "b new");
		assertThat(routable(A, after)).containsExactly("a", "b new");
		assertThat(routable(A)).as("it is over").containsExactly("a");
	}

	@Test
	void instanceThatWasKilledAndRestartedTakesNoUsersBeforeItOpens() {
		ServiceInstance before = Instances.keyed("b", "old");
		ServiceInstance after = Instances.keyed("b", "new");
		assertThat(routable(A, before)).containsExactly("a", "b old");
		this.announced.registered(after);
		assertThat(this.evictions).isNotEmpty();
		assertThat(routable(A, before)).containsExactly("a");
		assertThat(this.announced.withoutDeregistered(List.of(A, before))).containsExactly(A);
		this.announced.opened(after);
		assertThat(routable(A, before)).containsExactly("a", "b new");
		this.announced.registered(Instances.keyed("b", "next"));
		assertThat(routable(A, after)).as("restarted again").containsExactly("a");
		this.announced.opened(Instances.keyed("b", "last"));
		assertThat(routable(A, after)).as("only its opening was announced").containsExactly("a", "b last");
	}

	@Test
	void instanceThatRegistersAgainEvictsNothing() {
		this.announced.registered(Instances.keyed("b", "key"));
		assertThat(this.evictions).hasSize(1);
		this.announced.registered(Instances.keyed("b", "key"));
		assertThat(this.evictions).hasSize(1);
	}

	@Test
	void predecessorsAreThoseOfTheServiceWithAKey() {
		this.announced.registered(Instances.keyed("b", "new"));
		ServiceInstance other = Instances.keyed("mail", "b", "old");
		assertThat(this.announced.withoutDeregistered(List.of(other, B))).containsExactly(other, B);
	}

	@Test
	void departureEndsWhenTheRegistryNoLongerListsTheInstance() {
		this.announced.deregistered("b", Optional.of(B));
		assertThat(ids("chat", A, B)).containsExactly("a");
		assertThat(ids("mail")).isEmpty();
		assertThat(ids("chat", A, B)).containsExactly("a");
		assertThat(ids("chat", A)).containsExactly("a");
		assertThat(ids("chat", A, B)).containsExactly("a", "b");
	}

	@Test
	void departureEndsWhenTheRegistryListsTheIdWithAnotherKey() {
		ServiceInstance before = Instances.keyed("b", "old");
		ServiceInstance after = Instances.keyed("b", "new");
		this.announced.deregistered("b", Optional.of(before));
		assertThat(ids("chat", A, before)).containsExactly("a");
		assertThat(this.announced.withoutDeregistered(List.of(A, after))).containsExactly(A, after);
		assertThat(ids("chat", A, after)).containsExactly("a", "b");
	}

	@Test
	void openingEndsWhenTheRegistryRefusesUsers() {
		this.announced.opened(B);
		assertThat(ids("chat", A)).containsExactly("a", "b");
		this.refusing.add("b");
		assertThat(ids("chat", A)).containsExactly("a");
		this.refusing.clear();
		assertThat(ids("chat", A)).as("it is over").containsExactly("a");
	}

	@Test
	void departureLastsTwoMinutesAtMost() {
		this.announced.deregistered("b", Optional.of(B));
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(this.announced.withoutDeregistered(List.of(A, B))).containsExactly(A);
		this.clock.advance(MOMENT);
		assertThat(this.announced.withoutDeregistered(List.of(A, B))).containsExactly(A, B);
		assertThat(ids("chat", A, B)).containsExactly("a", "b");
	}

	@Test
	void reportThatComesAfterTheDepartureOpensOnlyAnotherInstance() {
		ServiceInstance before = Instances.keyed("b", "old");
		this.announced.opened(before);
		this.announced.deregistered("b", Optional.of(before));
		assertThat(ids("chat", A)).as("withdrawn").containsExactly("a");
		this.announced.opened(before);
		assertThat(ids("chat", A)).containsExactly("a");
		this.announced.registered(before);
		assertThat(ids("chat", A, before)).as("nor does a check end it").containsExactly("a");
		this.announced.opened(Instances.keyed("b", "new"));
		assertThat(ids("chat", A)).containsExactly("a", "b");
	}

	@Test
	void refusalWithdrawsTheOpeningOfAChosenInstance() {
		this.announced.opened(B);
		ServiceInstance opened = this.announced.routable("chat", List.of()).get(0);
		assertThat(this.announced.refused(A)).isFalse();
		assertThat(this.announced.refused(B)).isFalse();
		assertThat(ids("chat", A)).containsExactly("a", "b");
		assertThat(this.announced.refused(opened)).isTrue();
		assertThat(ids("chat", A)).containsExactly("a");
		assertThat(this.announced.refused(new MarkedInstance(B, true))).isFalse();
		assertThat(this.announced.refused(opened)).as("of a request in flight").isTrue();
	}

	/** A list that was requested before the change may be cached after it. */
	@Test
	void cachedListsOfTheServiceAreEvictedAtEachChangeAndForASecondAfterIt() {
		this.announced.opened(B);
		assertThat(this.evictions).hasSize(1);
		this.scheduler.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.evictions).hasSize(11).containsOnly(Optional.of("chat"));
		this.announced.refused(this.announced.routable("chat", List.of()).get(0));
		assertThat(this.evictions).hasSize(12).containsOnly(Optional.of("chat"));
		this.announced.deregistered("a", Optional.empty());
		assertThat(this.evictions).hasSize(13).as("of a service that is not known").endsWith(Optional.empty());
		this.scheduler.advanceTimeBy(Duration.ofHours(1));
		assertThat(this.evictions).hasSize(33);
	}

	@Test
	void whatWasAnnouncedIsKeptForItsTimeOnly() {
		this.announced.opened(Instances.of("opened"));
		this.announced.deregistered("leaving", Optional.empty());
		this.clock.advance(Duration.ofMinutes(2).plus(MOMENT));
		assertThat(this.announced.withoutDeregistered(List.of(Instances.of("leaving")))).hasSize(1);
		assertThat(ids("chat")).containsExactly("opened");
		this.clock.advance(Duration.ofMinutes(8));
		assertThat(ids("chat")).isEmpty();
	}

	@Test
	void blockingRegistryIsCorrectedAtEachCall() {
		DiscoveryClient registry = Mockito.mock(DiscoveryClient.class);
		Mockito.when(registry.getInstances("chat")).thenReturn(List.of(A));
		Mockito.when(registry.getServices()).thenReturn(List.of("chat"));
		Mockito.when(registry.description()).thenReturn("a registry");
		DiscoveryClient client = BalancerContextConfiguration.corrected(registry, this.announced);
		assertThat(client.getInstances("chat")).containsExactly(A);
		this.announced.opened(B);
		this.announced.deregistered("a", Optional.empty());
		assertThat(client.getInstances("chat")).extracting(ServiceInstance::getInstanceId).containsExactly("b");
		assertThat(client.getServices()).containsExactly("chat");
		assertThat(client.description()).isEqualTo("a registry");
	}

	private List<String> ids(String service, ServiceInstance... listed) {
		return this.announced.routable(service, List.of(listed)).stream().map(ServiceInstance::getInstanceId).toList();
	}

	private List<String> routable(ServiceInstance... listed) {
		return this.announced.routable("chat", List.of(listed))
			.stream()
			.map((each) -> (each.getInstanceId() + " " + each.getMetadata().getOrDefault(WarmupKey.METADATA_KEY, ""))
				.trim())
			.toList();
	}

}
