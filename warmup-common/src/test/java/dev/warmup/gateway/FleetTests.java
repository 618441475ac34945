package dev.warmup.gateway;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class FleetTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock);

	@Test
	void instanceIsWarmingFromItsFirstRequestToItsReportOrTenSecondsOfSilence() {
		assertThat(this.fleet.summary("chat-service").warming()).isFalse();
		answered("run-1", "rooms", 5, false);
		assertThat(this.fleet.summary("CHAT-SERVICE").warming()).isTrue();
		assertThat(this.fleet.summary("room-service").warming()).isFalse();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.fleet.summary("chat-service").warming()).isFalse();
		answered("run-1", "rooms", 5, false);
		assertThat(this.fleet.summary("chat-service").warming()).isTrue();
		assertThat(this.fleet.warmsAnother(CHAT)).isFalse();
		assertThat(this.fleet.warmsAnother(new Instance("chat-service", "chat-2"))).isTrue();
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		assertThat(this.fleet.warmsAnother(new Instance("chat-service", "chat-2"))).isFalse();
		assertThat(this.fleet.summary("chat-service").warming()).isFalse();
		assertThat(this.fleet.summary("chat-service").verdicts()).containsExactly(Verdict.WARM);
		assertThat(this.fleet.summary("chat-service").lastSeen()).hasValue(this.clock.instant());
		assertThat(this.fleet.run("run-1")).isPresent();
		assertThat(this.fleet.run("run-2")).isEmpty();
	}

	@Test
	void firstAnswerToWarmupTakesAnInstanceIntoWarmingOnce(CapturedOutput output) {
		answered("run-1", "rooms", 30, false);
		answered("run-1", "rooms", 10, false);
		assertThat(output).containsOnlyOnce("chat-service/chat-1 WARMING");
		assertThat(entry().phase()).isEqualTo(Phase.WARMING);
	}

	@Test
	void lateRequestOfAReportedRunDoesNotTakeAnInstanceBackIntoWarming() {
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
	void routesAreMeasuredForTheCurrentRun() {
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
	void reportSetsPhaseRunAndTime() {
		this.clock.advance(Duration.ofSeconds(5));
		this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		assertThat(entry().phase()).isEqualTo(Phase.WARM);
		assertThat(entry().since()).isEqualTo(this.clock.instant());
		assertThat(entry().lastRun()).map(RunRecord::id).hasValue("run-1");
		assertThat(this.fleet.phase()).isEqualTo(Phase.WARM);
		assertThat(this.fleet.since()).isEqualTo(this.clock.instant());
	}

	@Test
	void lastTwentyRunsAreKeptNewestFirst() {
		IntStream.range(0, 30).forEach((i) -> this.fleet.reported(Reports.warm("chat-service", "chat-1", "run-" + i)));
		assertThat(this.fleet.runs()).hasSize(20).first().extracting(RunRecord::id).isEqualTo("run-29");
	}

	@Test
	void leastRecentlySeenInstanceIsDroppedBeyondAThousand() {
		IntStream.range(0, 1000).forEach(this::see);
		see(0);
		see(1000);
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

	private void see(int number) {
		this.clock.advance(Duration.ofSeconds(1));
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-" + number), "run", "rooms", Duration.ofMillis(1),
				true);
	}

	private void answered(String run, String route, long millis, boolean failed) {
		this.fleet.warmupAnswered(CHAT, run, route, Duration.ofMillis(millis), failed);
	}

	private FleetEntry entry() {
		assertThat(this.fleet.entries()).hasSize(1);
		return this.fleet.entries().get(0);
	}

}
