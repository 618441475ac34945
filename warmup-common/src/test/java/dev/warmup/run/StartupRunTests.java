package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.warmup.GateOpened;
import dev.warmup.protocol.Phase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** In virtual time but for what is sent over HTTP. */
class StartupRunTests extends RunFixture {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final ApplicationContext context = new StaticApplicationContext();

	StartupRunTests() {
		this.scheduler = this.time;
		this.clock = new VirtualClock(this.time);
		this.deadline = Duration.ofMinutes(2);
		this.budget = Duration.ofSeconds(10);
	}

	private StartupRun startup(Runs runs) {
		StartupRun startup = new StartupRun(parts(), runs, this.context);
		startup.start();
		return startup;
	}

	private StartupRun ready() {
		StartupRun startup = startup(new Runs(parts(), Duration.ZERO, Duration.ZERO));
		startup.onReady(new ApplicationReadyEvent(new SpringApplication(), new String[0], null, null) {

			@Override
			public org.springframework.context.ConfigurableApplicationContext getApplicationContext() {
				return (StaticApplicationContext) StartupRunTests.this.context;
			}

		});
		return startup;
	}

	@Test
	void theGateOpensAtTheDeadlineWhateverHangs() {
		this.located = Mono.never();
		ready();
		pass(Duration.ofSeconds(119));
		assertThat(this.gate.isOpen()).isFalse();
		pass(Duration.ofSeconds(1));
		Awaitility.await().atMost(TIMEOUT).until(this.gate::isOpen);
	}

	@Test
	void theGateStaysClosedAtTheDeadlineWhereAFailureKeepsItClosed() {
		this.opensOnFailure = false;
		this.located = Mono.never();
		ready();
		pass(Duration.ofMinutes(5));
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void aFailedRunIsRepeatedInTheBackgroundUntilAnotherVerdictIsReached() {
		this.gateway.onNews = () -> FakeGateway.Answer.plain(404);
		ready();
		awaitFailures(1);
		assertThat(this.gate.isOpen()).isTrue();
		pass(Duration.ofSeconds(9));
		assertThat(events(RunEnded.class)).hasSize(1);
		pass(Duration.ofSeconds(1));
		awaitFailures(2);
		pass(Duration.ofSeconds(20));
		awaitFailures(3);
		this.gateway.onNews = () -> this.gateway.gatewaysOwn(204);
		this.gateway.script = (request) -> {
			this.time.advanceTimeBy(Duration.ofMillis(100));
			return this.gateway.own(200, "");
		};
		pass(Duration.ofSeconds(40));
		Awaitility.await().atMost(TIMEOUT).until(() -> parts().state().phase() == Phase.WARM);
		int ended = events(RunEnded.class).size();
		pass(Duration.ofMinutes(10));
		assertThat(events(RunEnded.class)).hasSize(ended);
	}

	@Test
	void aDegradedRunIsRepeatedFourTimes() {
		this.scenarios = "{ name: only, requests: [GET /fine, GET /broken] }";
		this.gateway.script = (request) -> {
			this.time.advanceTimeBy(Duration.ofMillis(500));
			return this.gateway.own(request.contains("broken") ? 500 : 200, "");
		};
		ready();
		for (int run = 1; run <= 5; run++) {
			int expected = run;
			Awaitility.await().atMost(TIMEOUT).until(() -> {
				pass(Duration.ofSeconds(5));
				return events(RunEnded.class).size() == expected;
			});
		}
		pass(Duration.ofMinutes(10));
		assertThat(events(RunEnded.class)).hasSize(5);
		assertThat(events(GateOpened.class)).hasSize(1);
	}

	@Test
	void aRunThatWasOnlySlowIsNotRepeatedBesideUsers() {
		this.scenarios = "{ name: only, requests: [GET /slow] }";
		this.gateway.script = (request) -> {
			this.time.advanceTimeBy(Duration.ofSeconds(6));
			return this.gateway.own(200, "");
		};
		ready();
		Awaitility.await().atMost(TIMEOUT).until(() -> !events(RunEnded.class).isEmpty());
		assertThat(parts().state().phase()).isEqualTo(Phase.DEGRADED);
		assertThat(this.gate.isOpen()).isTrue();
		pass(Duration.ofMinutes(10));
		assertThat(events(RunEnded.class)).hasSize(1);
	}

	@Test
	void whenTheContextClosesTheInstanceLeavesBeforeTheServerStops() {
		StartupRun startup = startup(new Runs(parts(), Duration.ZERO, Duration.ZERO));
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		startup.stop(() -> stopped.complete(null));
		assertThat(this.gate.isLeaving()).isTrue();
		awaitWhileTimePasses(stopped);
		assertThat(this.gateway.news).hasSize(1);
		startup.start();
		assertThat(this.gate.isLeaving()).isFalse();
	}

	@Test
	void newsIsSentOnceThoughTheContextClosesAndItsLifecycleStops() {
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		StartupRun startup = ready();
		Awaitility.await().atMost(TIMEOUT).until(() -> !this.gateway.news.isEmpty());
		startup.onClosed(new ContextClosedEvent(new StaticApplicationContext()));
		assertThat(this.gate.isLeaving()).as("a child context").isFalse();
		startup.onClosed(new ContextClosedEvent(this.context));
		assertThat(this.gate.isLeaving()).isTrue();
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		startup.stop(() -> stopped.complete(null));
		awaitWhileTimePasses(stopped);
	}

	@Test
	void gatewaysThatHangDelayTheStopByLittleMoreThanTwoSeconds() {
		this.gateway.onNews = () -> this.gateway.gatewaysOwn(204).after(Duration.ofMinutes(1));
		StartupRun startup = startup(new Runs(parts(), Duration.ZERO, Duration.ZERO));
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		startup.stop(() -> stopped.complete(null));
		pass(Duration.ofSeconds(1));
		assertThat(stopped).isNotDone();
		pass(Duration.ofMillis(1300));
		assertThat(stopped).isDone();
	}

	@Test
	void aRunUnderWayThatDoesNotEndDelaysTheStopByLittleMoreThanThreeSeconds() {
		this.gateway.script = (request) -> this.gateway.own(200, "").after(Duration.ofMinutes(1));
		this.scenarios = "{ name: only, unsafe: true, requests: [GET /rooms], finally: [DELETE /rooms] }";
		StartupRun startup = ready();
		Awaitility.await().atMost(TIMEOUT).until(() -> this.gateway.requests.contains("GET /rooms"));
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		startup.stop(() -> stopped.complete(null));
		pass(Duration.ofSeconds(2));
		assertThat(stopped).isNotDone();
		awaitWhileTimePasses(stopped);
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void readinessIsNews() {
		StartupRun startup = startup(new Runs(parts(), Duration.ZERO, Duration.ZERO));
		Awaitility.await().atMost(TIMEOUT).until(() -> {
			startup.onReadiness(new AvailabilityChangeEvent<>(this, ReadinessState.REFUSING_TRAFFIC));
			return !this.gateway.news.isEmpty();
		});
	}

	/** For a moment longer, so that the pause until the next run has begun. */
	private void awaitFailures(int count) {
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.atMost(TIMEOUT)
			.until(() -> events(RunEnded.class).size() == count);
	}

	/** A second and a half at most, in steps, as what comes next begins elsewhere. */
	private void awaitWhileTimePasses(CompletableFuture<Void> stopped) {
		Instant limit = this.clock.instant().plusMillis(1500);
		Awaitility.await().atMost(TIMEOUT).until(() -> {
			pass(Duration.ofMillis(10));
			return stopped.isDone() || this.clock.instant().isAfter(limit);
		});
		assertThat(stopped).isDone();
	}

	/** What the time makes due may happen on other threads. */
	private void pass(Duration duration) {
		this.time.advanceTimeBy(duration);
	}

	private static final class VirtualClock extends Clock {

		private final VirtualTimeScheduler time;

		VirtualClock(VirtualTimeScheduler time) {
			this.time = time;
		}

		@Override
		public Instant instant() {
			return Instant.EPOCH.plusNanos(this.time.now(TimeUnit.NANOSECONDS));
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

	}

}
