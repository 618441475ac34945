package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class FleetTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T08:00:00Z"));

	private final Fleet fleet = new Fleet(new TestClock());

	@Test
	void runIsUnderWayFromItsFirstRequestToItsReportOrTenSecondsOfSilence() {
		MutableClock time = new MutableClock();
		Fleet watched = new Fleet(time);
		Instance instance = new Instance("chat-service", "chat-1");
		assertThat(watched.standing("chat-service").underWay()).isFalse();
		watched.warmupAnswered(instance, "run-1", "route", Duration.ofMillis(5), false);
		assertThat(watched.standing("CHAT-SERVICE").underWay()).isTrue();
		assertThat(watched.standing("room-service").underWay()).isFalse();
		time.advance(Duration.ofSeconds(10));
		assertThat(watched.standing("chat-service").underWay()).isFalse();
		watched.warmupAnswered(instance, "run-1", "route", Duration.ofMillis(5), false);
		assertThat(watched.standing("chat-service").underWay()).isTrue();
		watched.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		assertThat(watched.standing("chat-service").underWay()).isFalse();
		assertThat(watched.standing("chat-service").verdicts()).containsExactly(Verdict.WARM);
		assertThat(watched.standing("chat-service").heardOf()).hasValue(time.instant());
		assertThat(watched.run("run-1")).isPresent();
		assertThat(watched.run("run-2")).isEmpty();
	}

	@Test
	void fleetIsColdAndEmptyAtFirst() {
		assertThat(this.fleet.entries()).isEmpty();
		assertThat(this.fleet.runs()).isEmpty();
		assertThat(this.fleet.phase()).isEqualTo(Phase.COLD);
		assertThat(this.fleet.since()).isEqualTo(this.now.get());
	}

	@Test
	void firstAnswerToWarmupTakesAnInstanceIntoWarmingOnce(CapturedOutput output) {
		answered("run-1", "rooms", 30, false);
		answered("run-1", "rooms", 10, false);
		assertThat(output).containsOnlyOnce("chat-service/chat-1 WARMING");
		assertThat(entry().phase()).isEqualTo(Phase.WARMING);
	}

	@Test
	void failureAloneDoesNotTakeAnInstanceIntoWarming(CapturedOutput output) {
		answered("run-1", "rooms", 30, true);
		assertThat(output).doesNotContain("WARMING");
		assertThat(entry().phase()).isEqualTo(Phase.COLD);
	}

	@Test
	void stragglerOfAReportedRunDoesNotTakeAnInstanceBackIntoWarming() {
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		answered("run-1", "rooms", 30, false);
		assertThat(entry().phase()).isEqualTo(Phase.FAILED);
	}

	@Test
	void runAfterAFailedOneTakesTheInstanceIntoWarmingAgain() {
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		answered("run-2", "rooms", 30, false);
		assertThat(entry().phase()).isEqualTo(Phase.WARMING);
	}

	@Test
	void laterRunLeavesAWarmInstanceWarm() {
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		answered("run-2", "rooms", 30, false);
		assertThat(entry().phase()).isEqualTo(Phase.WARM);
	}

	@Test
	void routesAreTimedForTheRunUnderWay() {
		answered("run-1", "old", 30, false);
		answered("run-2", "rooms", 30, false);
		answered("run-2", "rooms", 10, true);
		assertThat(entry().routes()).singleElement().satisfies((route) -> {
			assertThat(route.route()).isEqualTo("rooms");
			assertThat(route.requests()).isEqualTo(2);
			assertThat(route.failed()).isEqualTo(1);
			assertThat(route.first()).isEqualTo(Duration.ofMillis(30));
		});
	}

	@Test
	void routesOfAnInstanceAreBounded() {
		IntStream.range(0, 150).forEach((i) -> answered("run-1", "route-" + i, 1, false));
		assertThat(entry().routes()).hasSize(100);
	}

	@Test
	void reportGivesPhaseRunAndTime() {
		this.now.set(this.now.get().plusSeconds(5));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		assertThat(entry().phase()).isEqualTo(Phase.WARM);
		assertThat(entry().since()).isEqualTo(this.now.get());
		assertThat(entry().lastRun()).map(RunRecord::id).hasValue("run-1");
		assertThat(this.fleet.phase()).isEqualTo(Phase.WARM);
		assertThat(this.fleet.since()).isEqualTo(this.now.get());
	}

	@Test
	void lastTwentyRunsAreKeptNewestFirst() {
		IntStream.range(0, 30).forEach((i) -> this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-" + i)));
		assertThat(this.fleet.runs()).hasSize(20).first().extracting(RunRecord::id).isEqualTo("run-29");
	}

	@Test
	void firstUserAfterARunIsToldOnce(CapturedOutput output) {
		List<Duration> told = new ArrayList<>();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		user(told, 7);
		user(told, 3);
		assertThat(told).containsExactly(Duration.ofMillis(7));
		assertThat(output)
			.containsOnlyOnce("chat-service/chat-1 first user request after warm-up: 7.0 ms (1.1x steady)");
		assertThat(entry().firstUserRequest()).isEqualTo(Optional.of(Duration.ofMillis(7)));
	}

	@Test
	void firstUserIsToldAgainAfterTheNextRun() {
		List<Duration> told = new ArrayList<>();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		user(told, 7);
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		user(told, 3);
		assertThat(told).containsExactly(Duration.ofMillis(7), Duration.ofMillis(3));
	}

	@Test
	void userIsNotToldOfWhereThereIsNothingToCompareWith() {
		List<Duration> told = new ArrayList<>();
		user(told, 7);
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		user(told, 7);
		assertThat(told).isEmpty();
	}

	@Test
	void usersOfUnknownInstancesAreNotKept() {
		user(new ArrayList<>(), 7);
		assertThat(this.fleet.entries()).isEmpty();
	}

	@Test
	void fleetForgetsWhomItHasNotHeardOfForLongestBeyondAThousand() {
		IntStream.range(0, 1000).forEach(this::hearOf);
		hearOf(0);
		hearOf(1000);
		assertThat(this.fleet.entries()).hasSize(1000)
			.extracting(FleetEntry::instanceId)
			.contains("chat-0", "chat-1000")
			.doesNotContain("chat-1");
	}

	@Test
	void entriesStandInOrderOfServiceAndInstance() {
		this.fleet.reported(Reports.warm("chat-service", "chat-2", "run-1"));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-2"));
		this.fleet.reported(Reports.warm("bots", "zed", "run-3"));
		assertThat(this.fleet.entries()).extracting(FleetEntry::instanceId).containsExactly("zed", "chat-1", "chat-2");
	}

	private void hearOf(int number) {
		this.now.set(this.now.get().plusSeconds(1));
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-" + number), "run", "rooms", Duration.ofMillis(1),
				true);
	}

	private void answered(String run, String route, long millis, boolean failed) {
		this.fleet.warmupAnswered(CHAT, run, route, Duration.ofMillis(millis), failed);
	}

	private void user(List<Duration> told, long millis) {
		this.fleet.userAnswered(CHAT, "rooms", Duration.ofMillis(millis), List.of(new GatewayListener() {

			@Override
			public void onFirstUserRequest(Instance instance, String route, Duration latency, BaselineLatency steady) {
				assertThat(instance).isEqualTo(CHAT);
				told.add(latency);
			}

		}));
	}

	private FleetEntry entry() {
		assertThat(this.fleet.entries()).hasSize(1);
		return this.fleet.entries().get(0);
	}

	private final class TestClock extends Clock {

		@Override
		public ZoneOffset getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return FleetTests.this.now.get();
		}

	}

}
