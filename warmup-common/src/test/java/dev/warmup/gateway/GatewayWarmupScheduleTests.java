package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;

import dev.warmup.MutableClock;
import dev.warmup.gateway.GatewayWarmupSchedule.Progress;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayWarmupScheduleTests {

	private final MutableClock clock = new MutableClock();

	private final Fleet fleet = new Fleet(this.clock, Runnable::run);

	private final GatewayWarmupSchedule schedule = new GatewayWarmupSchedule(this.fleet, new UserActivity(this.clock),
			new IdleSchedule(Duration.ofMinutes(30), Duration.ofMinutes(1), Duration.ofMinutes(30)), this.clock);

	@BeforeEach
	void services() {
		this.schedule.update(List.of("chat"));
	}

	@Test
	void serviceIsDueOnceUntilItsRequestEnds() {
		assertThat(this.schedule.begin("chat")).hasValue(Trigger.STARTUP);
		assertThat(this.schedule.begin("chat")).isEmpty();
		assertThat(this.schedule.begin("chat")).isEmpty();
		this.schedule.end("chat");
		assertThat(this.schedule.begin("CHAT")).hasValue(Trigger.STARTUP);
	}

	@Test
	void serviceIsNotDueWhileARunGoesOn() {
		this.fleet.warmupAnswered(new Instance("chat", "chat-1"), "run-1", "route", Duration.ofMillis(5), false);
		assertThat(this.schedule.begin("chat")).isEmpty();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.schedule.begin("chat")).hasValue(Trigger.STARTUP);
	}

	@Test
	void serviceThatIsGoneIsNotDue() {
		this.schedule.update(List.of("room"));
		assertThat(this.schedule.begin("chat")).isEmpty();
		assertThat(this.schedule.progress("chat")).isEqualTo(Progress.UNSUPPORTED);
	}

	/** The service may have another name in its reports. */
	@Test
	void serviceIsNotDueAgainOnceARunThroughTheIdleGatewayCompleted() {
		this.schedule.completed("chat", Verdict.WARM);
		this.clock.advance(Duration.ofMinutes(30));
		assertThat(this.schedule.begin("chat")).hasValue(Trigger.IDLE);
		this.schedule.completed("chat", Verdict.WARM);
		this.schedule.end("chat");
		assertThat(this.schedule.begin("chat")).isEmpty();
	}

	@Test
	void whatAServiceHasWarmedStaysSoWhenItWarmsNoMore() {
		this.schedule.completed("chat", Verdict.WARM);
		this.schedule.failed("chat", NotWarmedException.unsupported("chat has nothing to send"));
		assertThat(this.schedule.progress("chat")).isEqualTo(Progress.WARM);
	}

}
