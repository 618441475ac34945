package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.warmup.MutableClock;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import dev.warmup.registry.Registered;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What a fleet makes of looks: shares by age, and who is in it for how long. */
class MemberTests {

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private final MutableClock clock = new MutableClock();

	private final List<Object> events = new ArrayList<>();

	private double random;

	private final Fleet fleet = new Fleet(this.clock, WINDOW, () -> this.random, Runnable::run, this.events::add);

	@Test
	void theShareOfAnInstanceGrowsWithItsAgeWhileAFullMemberServes() {
		Registered old = registered("old", Registered.Status.UP, "");
		Registered young = registered("young", Registered.Status.UP, "");
		this.fleet.update(List.of(old), true);
		found(old, GatePosition.OPEN);
		this.fleet.update(List.of(old, young), true);
		found(young, GatePosition.CLOSED);
		assertThat(this.fleet.shareOf("young")).isZero();
		found(young, GatePosition.OPEN);
		assertThat(this.fleet.shareOf("young")).isCloseTo(0.1, within(0.001));
		assertThat(this.fleet.shareOf("old")).isOne();
		this.clock.advance(WINDOW.dividedBy(2));
		assertThat(this.fleet.shareOf("young")).isCloseTo(0.55, within(0.001));
		this.random = 0.54;
		assertThat(this.fleet.isDue(young.address())).isTrue();
		this.random = 0.56;
		assertThat(this.fleet.isDue(young.address())).isFalse();
		this.clock.advance(WINDOW.dividedBy(2));
		assertThat(this.fleet.isDue(young.address())).isTrue();
		assertThat(this.fleet.shareOf("young")).isOne();
	}

	@Test
	void nobodyIsHeldBackWithoutAFullMemberInTheZone() {
		Registered old = registered("old", Registered.Status.UP, "east");
		Registered young = registered("young", Registered.Status.UP, "west");
		this.fleet.update(List.of(old), true);
		found(old, GatePosition.OPEN);
		this.fleet.update(List.of(old, young), true);
		found(young, GatePosition.OPEN);
		this.random = 0.99;
		assertThat(this.fleet.isDue(young.address())).isTrue();
	}

	@Test
	void aGatewayThatHasJustStartedHoldsNobodyBack() {
		Registered one = registered("one", Registered.Status.UP, "");
		Registered two = registered("two", Registered.Status.UP, "");
		this.fleet.update(List.of(one, two), true);
		found(one, GatePosition.OPEN);
		found(two, GatePosition.OPEN);
		assertThat(this.fleet.shareOf("one")).isOne();
		assertThat(this.fleet.shareOf("two")).isOne();
	}

	@Test
	void aGatewayThatHasJustStartedLogsTheLastVerdictOfWhoIsThere() {
		Registered one = registered("one", Registered.Status.UP, "");
		this.fleet.update(List.of(one), true);
		InstanceState warm = state("one", "boot-1", GatePosition.OPEN,
				Optional.of(FakeService.run("run-1", Optional.of(Verdict.WARM))));
		this.fleet.found(this.fleet.find("one").orElseThrow(), warm);
		this.fleet.found(this.fleet.find("one").orElseThrow(), warm);
		assertThat(this.fleet.journal()).singleElement()
			.extracting(Fleet.Line::text)
			.asString()
			.startsWith("shop/one WARM startup: 412 requests in 10.0 s, 0 failed");
	}

	@Test
	void aRestartUnderTheSameIdBeginsAnew() {
		Registered old = registered("old", Registered.Status.UP, "");
		Registered again = registered("again", Registered.Status.UP, "");
		this.fleet.update(List.of(old, again), true);
		found(old, GatePosition.OPEN);
		found(again, GatePosition.OPEN);
		this.fleet.found(this.fleet.find("again").orElseThrow(), state("again", "boot-2", GatePosition.OPEN));
		assertThat(this.fleet.shareOf("again")).isCloseTo(0.1, within(0.001));
	}

	@Test
	void whatTheRegistryItselfSaysCountsUntilItsCopyChanges() {
		Registered starting = registered("one", Registered.Status.STARTING, "");
		this.fleet.update(List.of(starting), true);
		found(starting, GatePosition.OPEN);
		this.fleet.member(registered("one", Registered.Status.REFUSED, ""));
		this.fleet.update(List.of(registered("one", Registered.Status.STARTING, "")), true);
		assertThat(this.fleet.shareOf("one")).isZero();
		this.fleet.update(List.of(registered("one", Registered.Status.UP, "")), true);
		assertThat(this.fleet.shareOf("one")).isOne();
	}

	@Test
	void anInstanceWhoseStateWasNeverReadIsNoFullMember() {
		Registered one = new Registered(new Instance("shop", "one"), new DefaultServiceInstance("one", "SHOP",
				"localhost", 8080, false, Map.of(Registered.METADATA_KEY, "service")), Registered.Status.UP);
		this.fleet.update(List.of(one), true);
		this.fleet.failed(this.fleet.find("one").orElseThrow(), false);
		assertThat(this.fleet.fit(one.address())).isEqualTo(Member.Fit.UNKNOWN);
	}

	@Test
	void usersFindAnInstanceThatHasMovedAtItsNewAddress() {
		Registered old = registered("one", Registered.Status.UP, "");
		this.fleet.update(List.of(old), true);
		this.fleet.member(new Registered(old.instance(), new DefaultServiceInstance("one", old.instance().service(),
				"moved", 81, false, old.address().getMetadata()), Registered.Status.UP));
		assertThat(this.fleet.routable(old.instance().service(), List.of(old.address())))
			.extracting(ServiceInstance::getHost)
			.containsExactly("moved");
		this.fleet.refused(old.address());
		assertThat(this.fleet.fit(old.address())).isEqualTo(Member.Fit.UNKNOWN);
	}

	@Test
	void anInstanceThatTheRegistryDropsStaysWhileItAnswers() {
		Registered one = registered("one", Registered.Status.UP, "");
		this.fleet.update(List.of(one), true);
		found(one, GatePosition.OPEN);
		this.fleet.update(List.of(), true);
		assertThat(this.fleet.entries()).hasSize(1);
		for (int i = 0; i < 3; i++) {
			this.fleet.find("one").orElseThrow().failed(true);
		}
		this.fleet.update(List.of(), true);
		assertThat(this.fleet.entries()).isEmpty();
		assertThat(this.events).last().isEqualTo(new Fleet.Changed(one.instance()));
	}

	@Test
	void looksAreUrgentWhileSomethingIsAboutToChange() {
		Registered one = registered("one", Registered.Status.UP, "");
		this.fleet.update(List.of(one), true);
		Member member = this.fleet.find("one").orElseThrow();
		assertThat(member.nextLook()).isBefore(MutableClock.START);
		member.lookBegins();
		found(one, GatePosition.CLOSED);
		assertThat(member.nextLook()).isEqualTo(MutableClock.START.plusSeconds(1));
		found(one, GatePosition.OPEN);
		assertThat(member.nextLook()).isEqualTo(MutableClock.START.plusSeconds(30));
		member.failed(true);
		assertThat(member.nextLook()).isEqualTo(MutableClock.START.plusSeconds(1));
	}

	@Test
	void instancesAreAddedAheadOfTheCopyOnlyBesideOthersAndNobodyIsLeftWithoutOne() {
		Registered listed = registered("listed", Registered.Status.UP, "");
		Registered ahead = registered("ahead", Registered.Status.STARTING, "");
		this.fleet.member(ahead);
		found(ahead, GatePosition.OPEN);
		assertThat(this.fleet.routable("SHOP", List.of())).isEmpty();
		List<ServiceInstance> copy = List.of(listed.address());
		assertThat(this.fleet.routable("SHOP", copy)).containsExactly(listed.address(), ahead.address());
		this.fleet.update(List.of(listed), true);
		found(listed, GatePosition.CLOSED);
		assertThat(this.fleet.routable("shop", copy)).containsExactly(ahead.address());
		this.fleet.refused(ahead.address());
		assertThat(this.fleet.routable("shop", copy)).isEqualTo(copy);
	}

	@Test
	void theJournalHasTheLastHundredLinesTheNewestFirst() {
		for (int line = 0; line < 150; line++) {
			this.fleet.log("line " + line);
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(this.fleet.journal()).hasSize(100)
			.startsWith(new Fleet.Line(MutableClock.START.plusSeconds(149), "line 149"))
			.endsWith(new Fleet.Line(MutableClock.START.plusSeconds(50), "line 50"));
		Registered one = registered("one", Registered.Status.UP, "");
		this.fleet.update(List.of(), true);
		this.fleet.update(List.of(one), true);
		found(one, GatePosition.OPEN);
		assertThat(this.fleet.journal()).hasSize(100)
			.first()
			.extracting(Fleet.Line::text)
			.isEqualTo("shop/one takes users");
	}

	private void found(Registered registered, GatePosition gate) {
		String id = registered.instance().instanceId();
		this.fleet.found(this.fleet.find(id).orElseThrow(), state(id, "boot-1", gate));
	}

	private static InstanceState state(String id, String boot, GatePosition gate) {
		return state(id, boot, gate, Optional.empty());
	}

	private static InstanceState state(String id, String boot, GatePosition gate, Optional<RunRecord> run) {
		return new InstanceState(id, "shop", boot, Phase.WARM, gate, true, false, Optional.empty(), Set.of(),
				Optional.empty(), run);
	}

	private static Registered registered(String id, Registered.Status status, String zone) {
		return new Registered(new Instance("shop", id),
				new DefaultServiceInstance(id, "SHOP", "localhost", 8080, false, Map.of("zone", zone)), status);
	}

}
