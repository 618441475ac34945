package dev.warmup.actuate;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupEndpointTests {

	private final WarmupRunner runner = Mockito.mock(WarmupRunner.class);

	private final AtomicLong nanoTime = new AtomicLong();

	private final WarmupEndpoint endpoint = endpoint();

	@Test
	void aRunOnDemandHasToWaitUntilTheLastOneIsTenSecondsOld() {
		Mockito.when(this.runner.start(Trigger.MANUAL)).thenReturn(true);
		assertThat(this.endpoint.run().getStatus()).isEqualTo(202);
		this.nanoTime.addAndGet(Duration.ofMillis(9_999).toNanos());
		assertThat(this.endpoint.run().getStatus()).isEqualTo(429);
		this.nanoTime.addAndGet(Duration.ofMillis(1).toNanos());
		assertThat(this.endpoint.run().getStatus()).isEqualTo(202);
		Mockito.verify(this.runner, Mockito.times(2)).start(Trigger.MANUAL);
	}

	@Test
	void aRequestThatStartsNoRunDoesNotCount() {
		assertThat(this.endpoint.run().getStatus()).isEqualTo(409);
		Mockito.when(this.runner.start(Trigger.MANUAL)).thenReturn(true);
		assertThat(this.endpoint.run().getStatus()).isEqualTo(202);
		Mockito.when(this.runner.isRunning()).thenReturn(true);
		Mockito.when(this.runner.start(Trigger.MANUAL)).thenReturn(false);
		assertThat(this.endpoint.run().getStatus()).isEqualTo(409);
	}

	private WarmupEndpoint endpoint() {
		UserActivity users = new UserActivity(Clock.systemUTC());
		IdleSchedule schedule = new IdleSchedule(Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO);
		WarmupState state = new WarmupState(Clock.systemUTC(), List.of());
		return new WarmupEndpoint(() -> new Instance("chat", "host:1"), state, Gate.open(), this.runner,
				new IdleCheck(this.runner, state, users, schedule, Clock.systemUTC()), this.nanoTime::get);
	}

}
