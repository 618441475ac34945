package dev.warmup.insight;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.Outcome;
import dev.warmup.run.Plan;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PoolObserverTests {

	private static final Catalog CATALOG = Catalogs.ofRequests("GET /one");

	private static final Scenario SCENARIO = CATALOG.scenarios().get(0);

	private final HandGauge pool = new HandGauge();

	@Test
	void poolsAreLookedAtUntilTheRunIsOver() {
		RunRecorder recorder = recorder();
		RunListener.Observation sight = watch(this.pool).begin("r-1", recorder);
		this.pool.active = 10;
		this.pool.pending = 2;
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			sight.ended();
			return !recorder.finished().findings().isEmpty();
		});
		sight.close();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> samplers() == 0);
	}

	@Test
	void whereThereIsNoPoolNothingIsLookedAt() {
		assertThat(new PoolObserver(List::of, users(), Optional.empty()).begin("r-1", recorder()))
			.isSameAs(RunListener.Observation.NONE);
	}

	@Test
	void dangerIsWarnedOfOnceHoweverManyRunsFindIt() {
		PoolObserver watch = watch(this.pool);
		try (CapturedLog log = CapturedLog.of(PoolObserver.class)) {
			String danger = "Pool main can deadlock: only/GET /one holds 2 connections at once, so 10 threads need"
					+ " 10 x (2 - 1) + 1 = 11, but it has 10.";
			assertThat(run(watch).findings()).containsExactly(danger);
			assertThat(run(watch).findings()).containsExactly(danger);
			assertThat(log.lines()).containsExactly(
					"WARN " + danger + " See https://github.com/brettwooldridge/HikariCP/wiki/About-Pool-Sizing");
		}
	}

	@Test
	void poolThatBreaksIsNotLookedAtAnyMore() {
		PoolGauge broken = new PoolGauge() {

			@Override
			public String name() {
				return "broken";
			}

			@Override
			public int active() {
				throw new IllegalStateException("closed");
			}

			@Override
			public int pending() {
				return 0;
			}

			@Override
			public int open() {
				return 0;
			}

			@Override
			public int max() {
				return 1;
			}

			@Override
			public String minimum() {
				return "none";
			}

		};
		try (CapturedLog log = CapturedLog.of(Sampler.class)) {
			RunListener.Observation sight = watch(broken).begin("r-1", recorder());
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> log.lines()
					.contains("WARN Pools are no longer watched in this run: java.lang.IllegalStateException: closed"));
			sight.close();
		}
	}

	/** Turns the pool until the sampler has seen each turn. */
	private RunRecord run(PoolObserver watch) {
		RunRecorder recorder = recorder();
		Outcome answered = new Outcome.Answered(SCENARIO, SCENARIO.requests().get(0), Duration.ofMillis(5));
		recorder.add(answered);
		RunListener.Observation sight = watch.begin("r-1", recorder);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			this.pool.active = 0;
			Thread.sleep(20);
			this.pool.active = 2;
			Thread.sleep(20);
			sight.alone(answered);
			return recorder.finished().requests().get(0).connections().isPresent();
		});
		sight.ended();
		sight.close();
		return recorder.finished();
	}

	private static PoolObserver watch(PoolGauge pool) {
		return new PoolObserver(() -> List.of(() -> List.of(pool)), users(), Optional.of(10));
	}

	private static UserActivity users() {
		return new UserActivity(Clock.systemUTC());
	}

	private static RunRecorder recorder() {
		return new RunRecorder("r-1", Trigger.STARTUP, "gw", Plan.of(CATALOG, "shop", Trigger.STARTUP, 1),
				Steadily.AT_ONCE, Clock.systemUTC());
	}

	private static long samplers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("warmup-pools"))
			.count();
	}

}
