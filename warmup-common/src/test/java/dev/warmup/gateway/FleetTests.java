package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.Instances;
import dev.warmup.MutableClock;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What a fleet knows of its instances, and of the first users after a run. */
class FleetTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock, Runnable::run);

	private final RecordingListener listener = new RecordingListener();

	private final Listeners<GatewayListener> listeners = new Listeners<>(List.of(this.listener));

	@RegisterExtension
	private final CapturedLog log = CapturedLog.of("dev.warmup.status");

	@Test
	void instanceRampsFromItsFirstReportToTheReportOfItsRunsEnd() {
		this.fleet.reported(Reports.warm("chat-service", "chat-0", "run-0"));
		answered("run-1", "rooms", 5, false);
		RunReport end = Reports.warm("chat-service", "chat-1", "run-1");
		RunReport soFar = new RunReport("chat-service", "chat-1", Phase.RAMPING, Gate.Position.OPEN, end.run());
		this.log.clear();
		this.fleet.ramping(soFar);
		this.fleet.ramping(soFar);
		assertThat(this.log.lines()).containsExactly("INFO chat-service/chat-1 RAMPING after 4.1 s: 600 requests, "
				+ "0 failed, p50 6.2 ms (1.0x its siblings)");
		assertThat(phases()).containsExactly(Phase.WARM, Phase.RAMPING);
		this.fleet.reported(end);
		this.fleet.ramping(soFar);
		assertThat(phases()).as("a report that was overtaken").containsExactly(Phase.WARM, Phase.WARM);
	}

	private List<Phase> phases() {
		return this.fleet.entries().stream().map(Fleet.Entry::phase).toList();
	}

	@Test
	void figuresOfTwoRunsThatGoOnAtOnceAreKeptApart() {
		for (int i = 0; i < 60; i++) {
			answered("run-1", "rooms", 5, false);
			answered("run-2", "rooms", 20, false);
		}
		report("run-1");
		users("rooms", 100, 5);
		assertThat(measured()).singleElement().satisfies((first) -> assertThat(first.ratio()).isEqualTo(1));
		report("run-2");
		users("rooms", 100, 20);
		assertThat(measured()).singleElement().satisfies((first) -> assertThat(first.ratio()).isEqualTo(1));
	}

	@Test
	void instanceIsWarmingFromItsFirstRequestToItsReportOrTenSecondsOfSilence() {
		assertThat(this.fleet.members("chat-service")).isEmpty();
		answered("run-1", "rooms", 5, false);
		assertThat(this.fleet.members("CHAT-SERVICE")).singleElement().matches(Member::isWarming);
		assertThat(this.fleet.members("room-service")).isEmpty();
		Member member = this.fleet.members("chat-service").findFirst().orElseThrow();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(member.isWarming()).isFalse();
		answered("run-1", "rooms", 5, false);
		assertThat(member.isWarming()).isTrue();
		report("run-1");
		assertThat(member.isWarming()).isFalse();
		assertThat(member.lastRun()).map(RunRecord::verdict).hasValue(Verdict.WARM);
		assertThat(member.lastSeen()).isEqualTo(this.clock.instant());
		assertThat(entry().since()).isEqualTo(this.clock.instant());
		assertThat(this.fleet.phase()).isEqualTo(Phase.WARM);
		assertThat(this.fleet.since()).isEqualTo(this.clock.instant());
		assertThat(this.fleet.run("run-1")).isPresent();
		assertThat(this.fleet.run("run-2")).isEmpty();
	}

	@Test
	void anInstanceWithNothingToSendLeavesThePhaseThatOthersReported() {
		report("run-1");
		this.fleet.reported(Reports.skipped("room-service", "room-1", "run-2"));
		assertThat(this.fleet.phase()).isEqualTo(Phase.WARM);
		assertThat(phases()).containsExactly(Phase.WARM, Phase.COLD);
	}

	@Test
	void anInstanceThatWasRestartedIsColdUntilItIsWarmedAgain() {
		registered("before");
		assertThat(entry().service()).isEqualTo("chat-service");
		assertThat(entry().phase()).isEqualTo(Phase.COLD);
		answered("run-1", "rooms", 30, false);
		report("run-1");
		registered("before");
		assertThat(entry().phase()).as("an idle run").isEqualTo(Phase.WARM);
		registered("after");
		assertThat(entry().phase()).isEqualTo(Phase.COLD);
		assertThat(entry().lastRun()).isEmpty();
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		this.log.clear();
		answered("run-2", "rooms", 30, false);
		assertThat(this.log.lines()).containsExactly("INFO chat-service/chat-1 WARMING");
	}

	@Test
	void anIdleRunDoesNotTakeAWarmInstanceBackIntoWarming() {
		report("run-1");
		this.clock.advance(Duration.ofMinutes(30));
		answered("run-2", "rooms", 5, false);
		assertThat(entry().phase()).isEqualTo(Phase.WARM);
		report("run-2");
		assertThat(this.fleet.since()).isEqualTo(MutableClock.START);
	}

	@Test
	void aRunIsFoundAfterItsInstanceHasLeftAndAfterManyOthers() {
		report("run-1");
		this.fleet.left("chat-1");
		assertThat(this.fleet.run("run-1")).isPresent();
		IntStream.range(0, 20).forEach((i) -> report("next-" + i));
		assertThat(this.fleet.run("run-1")).isEmpty();
		IntStream.range(0, 20)
			.forEach((i) -> this.fleet.reported(Reports.warm("chat-service", "chat-2", "other-" + i)));
		assertThat(this.fleet.run("next-19")).isPresent();
		assertThat(this.fleet.runs()).hasSize(20).first().extracting(RunRecord::id).isEqualTo("other-19");
	}

	@Test
	void anInstanceIsNotComparedWithARunOfItsOwnAndStaysWarmingWhileItReports() {
		report("run-0");
		answered("run-1", "rooms", 5, false);
		RunReport soFar = new RunReport("chat-service", "chat-1", Phase.RAMPING, Gate.Position.OPEN,
				Reports.warm("chat-service", "chat-1", "run-1").run());
		this.clock.advance(Duration.ofSeconds(6));
		this.log.clear();
		this.fleet.ramping(soFar);
		assertThat(this.log.lines()).singleElement().asString().doesNotContain("siblings");
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(this.fleet.members("chat-service")).singleElement().matches(Member::isWarming);
	}

	@Test
	void figuresOfTheRunThatWasSilentForLongestAreDroppedBeyondTwo() {
		for (String run : List.of("run-1", "run-2", "run-1", "run-3")) {
			answered(run, "rooms", 60, 5, false);
		}
		report("run-2");
		users("rooms", 100, 5);
		assertThat(measured()).singleElement().satisfies((first) -> assertThat(first.ratio()).isLessThan(1));
		report("run-1");
		users("rooms", 100, 5);
		assertThat(measured()).singleElement().satisfies((first) -> assertThat(first.ratio()).isEqualTo(1));
	}

	@Test
	void anInstanceWhoseKeyIsNotKnownYetStaysWarmAtItsNextRun() {
		report("run-1");
		registered("key");
		assertThat(entry().phase()).isEqualTo(Phase.WARM);
	}

	private void registered(String key) {
		this.fleet.registered(Instances.keyed("CHAT-SERVICE", "chat-1", key));
	}

	@Test
	void failedRunIsAWarningAndItsLateRequestsDoNotTakeTheInstanceBackIntoWarming() {
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "GET /rooms 500 (expected 2xx)"));
		answered("run-1", "rooms", 30, false);
		assertThat(this.log.lines()).containsExactly(
				"WARN chat-service/chat-1 FAILED startup: " + "GET /rooms 500 (expected 2xx) (gave up after 60.0 s)");
		assertThat(entry().phase()).isEqualTo(Phase.FAILED);
		answered("run-2", "rooms", 30, false);
		assertThat(entry().phase()).as("the next run").isEqualTo(Phase.WARMING);
	}

	@Test
	void leastRecentlySeenInstanceIsDroppedBeyondAThousand() {
		IntStream.range(0, 1000).forEach(this::see);
		see(0);
		see(1000);
		assertThat(this.fleet.entries()).hasSize(1000)
			.extracting(Fleet.Entry::instanceId)
			.contains("chat-0", "chat-1000")
			.doesNotContain("chat-1");
	}

	/** What each look-up finds, so many minutes after the one before. */
	@ParameterizedTest
	@CsvSource({ "0 missing; 4 listed; 4 missing; 4 missing, 1", "0 away; 10 away; 10 missing, 1",
			"0 away; 10 away; 10 missing; 5 missing, 0" })
	void instanceIsForgottenOnceItHasBeenMissingForFiveMinutes(String lookups, int left) {
		report("run-1");
		for (String lookup : lookups.split("; ")) {
			String[] found = lookup.split(" ");
			this.clock.advance(Duration.ofMinutes(Long.parseLong(found[0])));
			Mono<Boolean> registered = found[1].equals("away") ? Mono.error(new IllegalStateException("away"))
					: Mono.just(found[1].equals("listed"));
			StepVerifier.create(this.fleet.removeMissing((id) -> registered).onErrorComplete())
				.expectComplete()
				.verify(Duration.ofSeconds(30));
		}
		assertThat(this.fleet.entries()).hasSize(left);
	}

	@Test
	void entriesStandInOrderOfServiceAndInstance() {
		this.fleet.reported(Reports.warm("chat-service", "chat-2", "run-1"));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		this.fleet.reported(Reports.warm("bots", "zed", "run-3"));
		assertThat(this.fleet.entries()).extracting(Fleet.Entry::instanceId).containsExactly("zed", "chat-1", "chat-2");
	}

	@Test
	void usersAreComparedWithTheLastWarmupOfTheirRouteThatDidNotFail() {
		answered("run-1", "rooms", 100, 40, false);
		answered("run-1", "rooms", 50, 4, false);
		answered("run-1", "rooms", 200, 400, true);
		answered("run-1", "users", 10, 8, false);
		report("run-1");
		users("rooms", 100, 6);
		users("users", 100, 6);
		assertThat(measured()).extracting(Fleet.Entry.FirstUsersEntry::route).containsExactly("rooms", "users");
		Fleet.Entry.FirstUsersEntry rooms = measured().get(0);
		assertThat(rooms.requests()).isEqualTo(100);
		assertThat(rooms.p50()).isBetween(Duration.ofMillis(6), Duration.ofNanos(6_060_000));
		assertThat(rooms.p99()).isEqualTo(rooms.p50());
		assertThat(rooms.ratio()).isBetween(1.47, 1.53);
		assertThat(measured().get(1).ratio()).isBetween(0.73, 0.77);
	}

	@ParameterizedTest
	@CsvSource({ "run-1, other", "run-2, rooms" })
	void routeWithoutWarmupInTheReportedRunIsComparedWithTheWholeRun(String reported, String route) {
		answered("run-1", "rooms", 100, 4, false);
		report(reported);
		users(route, 100, 62);
		assertThat(measured()).singleElement().satisfies((entry) -> {
			assertThat(entry.steadyP50()).isEqualTo(Duration.ofNanos(6_200_000));
			assertThat(entry.ratio()).isBetween(9.9, 10.1);
		});
	}

	@Test
	void noMoreThanAHundredOfARouteAreCounted() {
		report("run-1");
		users("rooms", 99, 6);
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isTrue();
		users("rooms", 1, 6);
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		assertThat(this.fleet.awaitsUser(CHAT, "users")).isTrue();
		users("rooms", 500, 6000);
		assertThat(measured()).singleElement().satisfies((entry) -> {
			assertThat(entry.route()).isEqualTo("rooms");
			assertThat(entry.requests()).isEqualTo(100);
			assertThat(entry.steadyP50()).isEqualTo(Duration.ofNanos(6_200_000));
			assertThat(entry.ratio()).isBetween(0.96, 0.99);
		});
	}

	@Test
	void usersAreMeasuredAgainAfterTheNextRunButNotAfterARepeatedReport() {
		report("run-1");
		users("rooms", 100, 6);
		report("run-1");
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		report("run-2");
		assertThat(measured()).isEmpty();
		users("rooms", 100, 7);
		assertThat(measured()).singleElement().satisfies((entry) -> {
			assertThat(entry.requests()).isEqualTo(100);
			assertThat(entry.p50()).isBetween(Duration.ofMillis(7), Duration.ofNanos(7_070_000));
		});
	}

	@Test
	void usersAreNotMeasuredAfterARunWithoutASteadyLatency() {
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		answered("run-1", "rooms", 4, false);
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		users("rooms", 100, 6);
		assertThat(measured()).isEmpty();
	}

	@Test
	void firstUserAndFirstHundredOfARouteAreLoggedAndAMedianBeyondThreeTimesTheRunsIsAWarning() {
		answered("run-1", "rooms", 50, 4, false);
		report("run-1");
		this.log.clear();
		users("rooms", 100, 6);
		users("users", 100, 18);
		users("a\nb\u2028c", 100, 20);
		assertThat(this.log.lines()).containsExactly(
				"INFO chat-service/chat-1 first user request after warm-up: 6.0 ms (1.5x steady)",
				"INFO chat-service/chat-1 first 100 user requests after warm-up on route rooms: "
						+ "p50 6.0 ms (1.5x steady), p99 6.0 ms (1.5x steady p95)",
				"INFO chat-service/chat-1 first 100 user requests after warm-up on route users: "
						+ "p50 18.0 ms (2.9x steady), p99 18.0 ms (2.0x steady p95)",
				"WARN chat-service/chat-1 first 100 user requests after warm-up on route a?b?c: "
						+ "p50 20.1 ms (3.2x steady), p99 20.1 ms (2.2x steady p95)");
	}

	@Test
	void routesOfFirstUsersAreBounded() {
		report("run-1");
		IntStream.range(0, 500).forEach((i) -> users("route-" + i, 1, 6));
		assertThat(measured()).hasSize(FirstUsers.MAX_ROUTES);
		assertThat(this.fleet.awaitsUser(CHAT, "route-0")).isTrue();
		assertThat(this.fleet.awaitsUser(CHAT, "route-499")).isFalse();
	}

	@Test
	void latencyIsLoggedOnceWhereManyThreadsAddToIt() {
		report("run-1");
		IntStream.range(0, 16).parallel().forEach((i) -> users((i % 2 == 0) ? "rooms" : "users", 1000, 6));
		assertThat(this.log.lines().stream().filter((line) -> line.contains("first 100 user requests"))).hasSize(2)
			.anyMatch((line) -> line.contains("on route rooms"))
			.anyMatch((line) -> line.contains("on route users"));
		assertThat(this.listener.calls()).containsExactlyInAnyOrder("rooms 6", "users 6");
		assertThat(measured()).extracting(Fleet.Entry.FirstUsersEntry::requests).containsExactly(100, 100);
	}

	@Test
	void aReportThatIsSentAgainChangesNothing() {
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		report("run-2");
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		assertThat(this.log.lines()).hasSize(2);
		assertThat(this.fleet.runs()).hasSize(2);
		assertThat(phases()).containsExactly(Phase.WARM);
	}

	@Test
	void fewLinesWaitForALogThatBlocks() {
		List<Runnable> blocked = new ArrayList<>();
		Fleet measuring = new Fleet(this.clock, blocked::add);
		measuring.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		IntStream.range(0, 1000)
			.forEach((i) -> measuring.userAnswered(CHAT, "rooms", Duration.ofMillis(6), this.listeners));
		assertThat(measuring.awaitsUser(CHAT, "rooms")).isFalse();
		assertThat(this.log.lines()).isEmpty();
		blocked.forEach(Runnable::run);
		assertThat(this.log.lines()).hasSize(3);
		assertThat(this.listener.calls()).containsExactly("rooms 6");
		assertThat(blocked).hasSize(4);
	}

	private void see(int number) {
		this.clock.advance(Duration.ofSeconds(1));
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-" + number), "run", "rooms", Duration.ofMillis(1),
				true);
	}

	private void answered(String run, String route, long millis, boolean failed) {
		answered(run, route, 1, millis, failed);
	}

	private void answered(String run, String route, int count, long millis, boolean failed) {
		IntStream.range(0, count)
			.forEach((i) -> this.fleet.warmupAnswered(CHAT, run, route, Duration.ofMillis(millis), failed));
	}

	private void report(String run) {
		this.fleet.reported(Reports.warm("chat-service", "chat-1", run));
	}

	private void users(String route, int count, long millis) {
		IntStream.range(0, count)
			.forEach((i) -> this.fleet.userAnswered(CHAT, route, Duration.ofMillis(millis), this.listeners));
	}

	private List<Fleet.Entry.FirstUsersEntry> measured() {
		return this.fleet.entries().stream().flatMap((entry) -> entry.firstUsers().stream()).toList();
	}

	private Fleet.Entry entry() {
		assertThat(this.fleet.entries()).hasSize(1);
		return this.fleet.entries().get(0);
	}

}
