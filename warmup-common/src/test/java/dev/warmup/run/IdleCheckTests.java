package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import dev.warmup.Catalogs;
import dev.warmup.GatewayLocator;
import dev.warmup.MutableClock;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class IdleCheckTests {

	private static final Duration AFTER = Duration.ofMinutes(30);

	private final MutableClock clock = new MutableClock();

	private final UserActivity idleClock = new UserActivity(this.clock);

	private final WarmupState state = new WarmupState(this.clock, List.of());

	private CatalogSource catalogs = catalog();

	private double random;

	private final WarmupRunner runner = runner();

	@Test
	void nothingHappensBeforeTheFirstRunEnded() {
		IdleCheck check = check(0.1);
		this.clock.advance(Duration.ofDays(1));
		look(check);
		assertThat(this.state.runs()).isEmpty();
	}

	@Test
	void anIdleInstanceIsWarmedAgainWhenTheTimeAndItsJitterAreOver() {
		this.random = 0.5;
		IdleCheck check = check(0.1);
		startup();
		assertThat(check.next()).hasValue(MutableClock.START.plus(AFTER).plusSeconds(90));
		this.clock.advance(AFTER.plusSeconds(89));
		look(check);
		assertThat(this.state.runs()).hasSize(1);
		this.clock.advance(Duration.ofSeconds(1));
		look(check);
		assertThat(this.state.runs()).hasSize(2);
		assertThat(this.state.runs().get(0).trigger()).isEqualTo(Trigger.IDLE);
	}

	@Test
	void theJitterIsDrawnAnewForEachWaitAndOnlyThen() {
		IdleCheck check = check(0.1);
		startup();
		this.random = 0.2;
		assertThat(check.next()).hasValueSatisfying(
				(next) -> assertThat(next).isBeforeOrEqualTo(MutableClock.START.plus(AFTER).plusSeconds(36)));
		this.clock.advance(Duration.ofSeconds(1));
		this.idleClock.touch();
		this.random = 1;
		assertThat(check.next()).hasValue(MutableClock.START.plusSeconds(1).plus(AFTER).plusSeconds(180));
		this.random = 0;
		assertThat(check.next()).hasValue(MutableClock.START.plusSeconds(1).plus(AFTER).plusSeconds(180));
	}

	@Test
	void aUsersRequestPostponesTheRun() {
		IdleCheck check = check(0);
		startup();
		this.clock.advance(Duration.ofMinutes(29));
		this.idleClock.touch();
		this.clock.advance(Duration.ofMinutes(29));
		look(check);
		assertThat(this.state.runs()).hasSize(1);
		this.clock.advance(Duration.ofMinutes(1));
		look(check);
		assertThat(this.state.runs()).hasSize(2);
	}

	@Test
	void aRunPostponesTheNext() {
		IdleCheck check = check(0);
		startup();
		this.clock.advance(AFTER);
		look(check);
		look(check);
		this.clock.advance(Duration.ofMinutes(29));
		look(check);
		assertThat(this.state.runs()).hasSize(2);
		this.clock.advance(Duration.ofMinutes(1));
		look(check);
		assertThat(this.state.runs()).hasSize(3);
	}

	@Test
	void zeroMeansNever() {
		IdleCheck check = new IdleCheck(this.runner, this.state, this.idleClock,
				new IdleSchedule(Duration.ZERO, Duration.ofMinutes(1), 0.1), this.clock, () -> this.random);
		startup();
		this.clock.advance(Duration.ofDays(100));
		look(check);
		assertThat(this.state.runs()).hasSize(1);
		assertThat(check.next()).isEmpty();
	}

	@Test
	void aRunThatBreaksOffDoesNotEndTheSchedule() {
		IdleCheck check = check(0);
		startup();
		this.catalogs = () -> {
			throw new IllegalStateException("disk gone");
		};
		this.clock.advance(AFTER);
		look(check);
		assertThat(this.state.runs().get(0).verdict()).isEqualTo(Verdict.FAILED);
		this.catalogs = catalog();
		this.clock.advance(AFTER);
		look(check);
		assertThat(this.state.runs()).extracting(RunRecord::verdict)
			.containsExactly(Verdict.WARM, Verdict.FAILED, Verdict.WARM);
	}

	private static CatalogSource catalog() {
		Catalog catalog = Catalogs.ofRequests("GET /a");
		return () -> catalog;
	}

	private IdleCheck check(double jitter) {
		return new IdleCheck(this.runner, this.state, this.idleClock,
				new IdleSchedule(AFTER, Duration.ofMinutes(1), jitter), this.clock, () -> this.random);
	}

	private WarmupRunner runner() {
		return new WarmupRunner(() -> new Instance("any", "host:1"), () -> this.catalogs.current(),
				GatewayLocator.fixed(URI.create("http://gateway.invalid")), WarmupTasks.none(), new RunFixture().client,
				new ScriptedReplayer(), List.of(), this.state, Gate.open(), () -> Mono.just(true),
				RunFixture.settings(Duration.ofMinutes(1), 1, 1, 1, Steadily.AT_ONCE),
				new Timing(this.clock, Schedulers.parallel(), System::nanoTime));
	}

	private void startup() {
		StepVerifier.create(this.runner.run(Trigger.STARTUP))
			.expectNextCount(1)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	private static void look(IdleCheck check) {
		StepVerifier.create(check.check()).expectComplete().verify(Duration.ofSeconds(30));
	}

}
