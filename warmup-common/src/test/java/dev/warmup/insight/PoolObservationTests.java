package dev.warmup.insight;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.warmup.Catalogs;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.RequestRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.Outcome;
import dev.warmup.run.Plan;
import dev.warmup.run.RunRecorder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PoolObservationTests {

	private static final Catalog CATALOG = Catalogs.ofRequests("GET /one", "GET /two");

	private static final Scenario SCENARIO = CATALOG.scenarios().get(0);

	private final HandGauge pool = new HandGauge();

	private final UserActivity users = new UserActivity(Clock.systemUTC());

	private final Sampler sampler = new Sampler(List.of(this.pool), this.users);

	private final RunRecorder recorder = new RunRecorder("r-1", Trigger.STARTUP, "gw",
			Plan.of(CATALOG, "shop", Trigger.STARTUP, 1), Steadily.AT_ONCE, Clock.systemUTC());

	private final List<String> warnings = new ArrayList<>();

	private final PoolObservation sight = new PoolObservation(List.of(this.pool), this.sampler, this.recorder,
			Optional.of(20), this.warnings::add);

	@Test
	void peakWhileARequestIsAloneIsWhatItHolds() {
		look(0, 1, 2, 1, 0);
		answered(0);
		look(0, 1, 0);
		answered(1);
		assertThat(connections()).containsExactly(Optional.of(2), Optional.of(1));
	}

	@Test
	void whatTheRequestBeforeHasNotGivenBackYetIsNotCounted() {
		look(0, 2);
		answered(0);
		look(2, 2, 0, 1);
		answered(1);
		assertThat(connections()).containsExactly(Optional.of(2), Optional.of(1));
	}

	@Test
	void nothingIsSaidOfARequestDuringWhichAConnectionWasInUseAllTheTime() {
		look(1, 2, 3, 1);
		answered(0);
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
	}

	@Test
	void nothingInUseIsNoProofThatNothingWas() {
		look(0, 0, 0);
		answered(0);
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
	}

	@Test
	void nothingIsSaidWhenAUserComesMeanwhile() {
		look(0, 2, 0);
		this.users.begin();
		this.users.end();
		answered(0);
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
		look(0, 2, 0);
		answered(1);
		assertThat(connections()).containsExactly(Optional.empty(), Optional.of(2));
	}

	@Test
	void nothingIsSaidWhileAUserStays() {
		this.users.begin();
		look(0);
		answered(0);
		look(0, 2, 0);
		answered(1);
		this.users.end();
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
	}

	@Test
	void nothingIsSaidOfARequestThatFailed() {
		look(0, 2, 0);
		this.sight.alone(new Outcome.Failed(SCENARIO, SCENARIO.requests().get(0), "no answer within 2000 ms"));
		assertThat(connections()).containsExactly(Optional.empty(), Optional.empty());
	}

	@Test
	void poolThatCanDeadlockIsFoundAndWarnedOf() {
		look(0, 2, 0);
		answered(0);
		look(0, 3, 0);
		answered(1);
		this.sight.ended();
		String danger = "Pool main can deadlock: only/GET /two holds 3 connections at once, so 20 threads need"
				+ " 20 x (3 - 1) + 1 = 41, but it has 10.";
		assertThat(this.recorder.finished().findings()).containsExactly(danger);
		assertThat(this.warnings).containsExactly(danger);
	}

	@Test
	void poolOfWhichEachRequestHoldsOneIsNotSpokenOf() {
		look(0, 1, 0);
		answered(0);
		this.sight.together();
		look(9, 10);
		this.sight.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
		assertThat(this.warnings).isEmpty();
	}

	@Test
	void thoseWhoWaitedAreCounted() {
		this.sight.together();
		this.pool.pending = 3;
		look(10);
		this.pool.pending = 1;
		look(10);
		this.sight.ended();
		assertThat(this.recorder.finished().findings())
			.containsExactly("Pool main: 3 requests at once waited for one of its 10 connections.");
	}

	@Test
	void oneWhoWaitedIsNoCrowd() {
		this.pool.pending = 1;
		look(10);
		this.sight.ended();
		assertThat(this.recorder.finished().findings())
			.containsExactly("Pool main: a request waited for one of its 10 connections.");
	}

	@Test
	void oneWhoIsJustBeingServedHasNotWaited() {
		this.pool.pending = 1;
		look(9);
		this.sight.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
	}

	@Test
	void connectionsThatABurstHasToOpenAreToldOf() {
		this.pool.open = 4;
		this.sight.ended();
		assertThat(this.recorder.finished().findings())
			.containsExactly("Pool main has 4 of its 10 connections open: a burst has to open the others, and waits;"
					+ " atLeast = 10 opens them beforehand.");
		assertThat(this.warnings).isEmpty();
	}

	@Test
	void poolThatHasNotBegunIsNotSpokenOf() {
		this.pool.open = 0;
		this.sight.ended();
		assertThat(this.recorder.finished().findings()).isEmpty();
	}

	private void look(int... active) {
		for (int each : active) {
			this.pool.active = each;
			this.sampler.look();
		}
	}

	private void answered(int request) {
		this.sight.alone(new Outcome.Answered(SCENARIO, SCENARIO.requests().get(request), Duration.ofMillis(5)));
	}

	private List<Optional<Integer>> connections() {
		return this.recorder.finished().requests().stream().map(RequestRecord::connections).toList();
	}

}
