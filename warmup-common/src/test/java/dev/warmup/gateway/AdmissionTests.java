package dev.warmup.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class AdmissionTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Admission admission = new Admission(2, this.time);

	private final Queue<Admission.Permit> taken = new ArrayDeque<>();

	private final AdmissionFilter filter = new AdmissionFilter(this.admission, List.of());

	@Test
	void requestsBeyondThePermitsWaitInOrder() {
		assertThat(request()).hasValue(true);
		assertThat(request()).hasValue(true);
		AtomicReference<Boolean> third = request();
		AtomicReference<Boolean> fourth = request();
		assertThat(third).hasNullValue();
		oneEnds();
		this.time.advanceTime();
		assertThat(third).hasValue(true);
		assertThat(fourth).hasNullValue();
		assertThat(this.admission.warmupsInFlight()).isEqualTo(2);
	}

	@Test
	void requestThatWaitsForHalfASecondIsDeferred() {
		takeAll();
		AtomicReference<Boolean> third = request();
		this.time.advanceTimeBy(Admission.MAX_WAIT.minusMillis(1));
		assertThat(third).hasNullValue();
		this.time.advanceTimeBy(Duration.ofMillis(1));
		assertThat(third).hasValue(false);
		oneEnds();
		oneEnds();
		assertNothingIsInFlight();
	}

	@Test
	void requestCanceledDuringTheHandoverReleasesThePermit() {
		ScheduledExecutorService stuck = Executors.newSingleThreadScheduledExecutor();
		CountDownLatch free = new CountDownLatch(1);
		stuck.submit(() -> free.await(30, TimeUnit.SECONDS));
		try {
			Admission busy = new Admission(1, Schedulers.fromExecutorService(stuck));
			busy.permit(UUID.randomUUID().toString()).subscribe(this.taken::add);
			Disposable second = busy.permit(UUID.randomUUID().toString()).subscribe();
			oneEnds();
			assertThat(busy.warmupsInFlight()).isEqualTo(1);
			second.dispose();
			assertThat(busy.warmupsInFlight()).isZero();
		}
		finally {
			free.countDown();
			stuck.shutdownNow();
		}
	}

	@Test
	void requestJoinsAQueueThatWasFullOnceOneProceeds() {
		takeAll();
		for (int i = 0; i < Admission.MAX_QUEUE; i++) {
			assertThat(request()).hasNullValue();
		}
		assertThat(request()).as("it is full").hasValue(false);
		oneEnds();
		assertThat(request()).as("one left the queue").hasNullValue();
		assertThat(request()).as("it is full again").hasValue(false);
	}

	@Test
	void permitIsReleasedOnce() {
		takeAll();
		Admission.Permit first = this.taken.remove();
		first.end();
		first.end();
		assertThat(this.admission.warmupsInFlight()).isEqualTo(1);
	}

	@Test
	void aClaimantLeavesAPermitToTheOthers() {
		this.admission.permit("greedy").subscribe(this.taken::add);
		Disposable waiting = this.admission.permit("greedy").subscribe(this.taken::add);
		assertThat(this.admission.warmupsInFlight()).isEqualTo(1);
		assertThat(this.admission.warmupsWaiting()).isEqualTo(1);
		this.admission.permit("modest").subscribe(this.taken::add);
		assertThat(this.taken).hasSize(2);
		assertThat(this.admission.warmupsInFlight()).isEqualTo(2);
		waiting.dispose();
		assertThat(this.admission.warmupsWaiting()).isZero();
		this.taken.forEach(Admission.Permit::end);
		assertThat(this.admission.warmupsInFlight()).isZero();
	}

	@Test
	void aRequestThatNeverEndsIsCutOffAndReleasesItsPermit() {
		MockServerWebExchange exchange = warmup();
		StepVerifier.withVirtualTime(() -> this.filter.filter(exchange, (routed) -> Mono.never()))
			.thenAwait(AdmissionFilter.LONGEST)
			.expectComplete()
			.verify(LIMIT);
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.GATEWAY_TIMEOUT);
		assertThat(this.admission.warmupsInFlight()).isZero();
	}

	@Test
	void anAnswerThatBeganAndNeverEndsIsAborted() {
		StepVerifier
			.withVirtualTime(() -> this.filter.filter(warmup(),
					(routed) -> routed.getResponse().setComplete().then(Mono.never())))
			.thenAwait(AdmissionFilter.LONGEST)
			.expectError(IOException.class)
			.verify(LIMIT);
		assertNothingIsInFlight();
	}

	@Test
	void aRequestThatFailsReleasesItsPermit() {
		assertReleased(this.filter.filter(warmup(), (next) -> Mono.error(new IllegalStateException("gone"))));
		assertReleased(this.filter.filter(warmup(), AdmissionTests::fail));
	}

	private void assertReleased(Mono<Void> failing) {
		StepVerifier.create(failing).expectError(IllegalStateException.class).verify(LIMIT);
		assertNothingIsInFlight();
	}

	private static Mono<Void> fail(ServerWebExchange exchange) {
		throw new IllegalStateException("a bug");
	}

	@Test
	void permitsAreNeverExceededByManyThreads() {
		Admission many = new Admission(2, Schedulers.parallel());
		AtomicInteger inFlight = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		Scheduler threads = Schedulers.newParallel("claimants", 8);
		Long admitted = Flux.range(0, 16_000)
			.parallel(8)
			.runOn(threads)
			.concatMap((i) -> many.permit("claimant-" + i).filter(Admission.Permit::isTaken).doOnNext((permit) -> {
				most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
				inFlight.decrementAndGet();
				permit.end();
			}))
			.sequential()
			.count()
			.doFinally((signal) -> threads.dispose())
			.block(LIMIT);
		assertThat(admitted).isPositive();
		assertThat(most).hasValueBetween(1, 2);
		assertThat(many.warmupsInFlight()).isZero();
	}

	private AtomicReference<Boolean> request() {
		AtomicReference<Boolean> answer = new AtomicReference<>();
		this.admission.permit(UUID.randomUUID().toString()).subscribe((permit) -> {
			answer.set(permit.isTaken());
			this.taken.add(permit);
		});
		return answer;
	}

	private void oneEnds() {
		this.taken.remove().end();
	}

	private void takeAll() {
		assertThat(request()).hasValue(true);
		assertThat(request()).hasValue(true);
	}

	private void assertNothingIsInFlight() {
		assertThat(this.admission.warmupsInFlight()).isZero();
	}

	private static MockServerWebExchange warmup() {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, new WarmupContext("a-1", "run-1"));
		return exchange;
	}

}
