package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AdmissionTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Admission admission = new Admission(2, this.time);

	private final Queue<Admission.Permit> taken = new ArrayDeque<>();

	private final AtomicInteger deferred = new AtomicInteger();

	private final AdmissionFilter filter = new AdmissionFilter(this.admission, List.of(new GatewayListener() {

		@Override
		public void onClaim(ClaimOutcome outcome) {
			assertThat(outcome).isEqualTo(ClaimOutcome.DEFERRED);
			AdmissionTests.this.deferred.incrementAndGet();
		}

	}));

	@Test
	void asManyAreAdmittedAsThereArePermitsAndTheNextWaitsInLine() {
		assertThat(ask()).hasValue(true);
		assertThat(ask()).hasValue(true);
		AtomicReference<Boolean> third = ask();
		AtomicReference<Boolean> fourth = ask();
		assertThat(third).hasNullValue();
		oneEnds();
		this.time.advanceTime();
		assertThat(third).hasValue(true);
		assertThat(fourth).hasNullValue();
		assertThat(this.admission.warmupsInFlight()).isEqualTo(2);
	}

	@Test
	void whoWaitsForHalfASecondIsPutOff() {
		takeAll();
		AtomicReference<Boolean> third = ask();
		this.time.advanceTimeBy(Admission.PATIENCE.minusMillis(1));
		assertThat(third).hasNullValue();
		this.time.advanceTimeBy(Duration.ofMillis(1));
		assertThat(third).hasValue(false);
		oneEnds();
		oneEnds();
		assertNobodyIsInFlight();
	}

	@Test
	void whoLeavesTheLineTakesNoPermit() {
		takeAll();
		Disposable third = this.admission.permit().subscribe();
		assertThat(this.admission.warmupsWaiting()).isEqualTo(1);
		third.dispose();
		assertThat(this.admission.warmupsWaiting()).isZero();
		oneEnds();
		oneEnds();
		assertNobodyIsInFlight();
	}

	@Test
	void whoLeavesWhileThePermitIsHandedOverGivesItBack() {
		ScheduledExecutorService stuck = Executors.newSingleThreadScheduledExecutor();
		CountDownLatch free = new CountDownLatch(1);
		stuck.submit(() -> free.await(30, TimeUnit.SECONDS));
		try {
			Admission busy = new Admission(1, Schedulers.fromExecutorService(stuck));
			busy.permit().subscribe(this.taken::add);
			Disposable second = busy.permit().subscribe();
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
	void theLineHasAnEnd() {
		takeAll();
		for (int i = 0; i < Admission.LONGEST_LINE; i++) {
			assertThat(ask()).hasNullValue();
		}
		assertThat(ask()).hasValue(false);
	}

	@Test
	void aBacklogOfUsersLeavesOnePermit() {
		this.admission.users().incrementAndGet();
		this.admission.users().incrementAndGet();
		this.admission.users().incrementAndGet();
		assertThat(ask()).hasValue(true);
		assertThat(ask()).hasNullValue();
	}

	@Test
	void aFewUsersTakeNoPermitAway() {
		this.admission.users().incrementAndGet();
		this.admission.users().incrementAndGet();
		assertThat(ask()).hasValue(true);
		assertThat(ask()).hasValue(true);
	}

	@Test
	void noneIsAnImpossibleLimit() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Admission(0, this.time));
	}

	@Test
	void neverMoreAreInFlightThanPermittedHoweverManyThreadsTry() throws Exception {
		Admission many = new Admission(2, Schedulers.parallel());
		AtomicInteger inFlight = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Callable<Integer>> tries = new ArrayList<>();
		for (int thread = 0; thread < 8; thread++) {
			tries.add(() -> {
				int admitted = 0;
				for (int i = 0; i < 2_000; i++) {
					Admission.Permit permit = many.permit().blockOptional(PATIENCE).orElseThrow();
					if (permit.isTaken()) {
						most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
						inFlight.decrementAndGet();
						permit.end();
						admitted++;
					}
				}
				return admitted;
			});
		}
		try {
			int admitted = 0;
			for (Future<Integer> each : threads.invokeAll(tries)) {
				admitted += each.get(30, TimeUnit.SECONDS);
			}
			assertThat(admitted).isPositive();
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(most).hasValueBetween(1, 2);
		assertThat(many.warmupsInFlight()).isZero();
	}

	@Test
	void warmupWithoutAPermitIsPutOffForASecondAndGoesNoFurther() {
		takeAll();
		MockServerWebExchange exchange = warmup();
		StepVerifier.create(this.filter.filter(exchange, (next) -> Mono.error(new AssertionError("went on"))))
			.then(() -> this.time.advanceTimeBy(Admission.PATIENCE))
			.expectComplete()
			.verify(PATIENCE);
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
		assertThat(exchange.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("1");
		assertThat(this.deferred).hasValue(1);
		assertThat(this.admission.warmupsInFlight()).isEqualTo(2);
	}

	@Test
	void usersPassWithoutAPermit() {
		takeAll();
		MockServerWebExchange exchange = user();
		StepVerifier.create(this.filter.filter(exchange, (next) -> next.getResponse().setComplete()))
			.expectComplete()
			.verify(PATIENCE);
		assertThat(exchange.getResponse().getStatusCode()).isNull();
		assertThat(this.deferred).hasValue(0);
	}

	@Test
	void permitIsGivenBackOnceHoweverTheRequestEnds() {
		StepVerifier.create(this.filter.filter(warmup(), (next) -> Mono.empty())).expectComplete().verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(warmup(), (next) -> Mono.error(new IllegalStateException("gone"))))
			.expectError(IllegalStateException.class)
			.verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(warmup(), throwing()))
			.expectError(IllegalStateException.class)
			.verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(warmup(), (next) -> Mono.never()))
			.expectSubscription()
			.then(() -> assertThat(this.admission.warmupsInFlight()).isEqualTo(1))
			.thenCancel()
			.verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(warmup(), (next) -> Mono.never()).timeout(Duration.ofMillis(1)))
			.expectError()
			.verify(PATIENCE);
		assertNobodyIsInFlight();
	}

	@Test
	void whoLeavesAtOnceTakesNoPermit() {
		this.filter.filter(warmup(), (next) -> Mono.never()).subscribe(new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				cancel();
			}

		});
		assertNobodyIsInFlight();
	}

	@Test
	void aPermitIsGivenBackOnce() {
		takeAll();
		Admission.Permit first = this.taken.element();
		first.end();
		first.end();
		assertThat(this.admission.warmupsInFlight()).isEqualTo(1);
	}

	@Test
	void userIsCountedUntilTheAnswerBeginsOrTheRequestEnds() {
		StepVerifier.create(this.filter.filter(user(), (next) -> next.getResponse().setComplete().then(Mono.never())))
			.expectSubscription()
			.then(this::assertNobodyIsInFlight)
			.thenCancel()
			.verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(user(), (next) -> Mono.never()))
			.expectSubscription()
			.then(() -> assertThat(this.admission.users()).hasValue(1))
			.thenCancel()
			.verify(PATIENCE);
		assertNobodyIsInFlight();
		StepVerifier.create(this.filter.filter(user(), throwing()))
			.expectError(IllegalStateException.class)
			.verify(PATIENCE);
		assertNobodyIsInFlight();
	}

	@Test
	void filterStandsBetweenTheOneThatVerifiesAndThoseThatWork() {
		assertThat(this.filter.getOrder()).isGreaterThan(WarmupGlobalFilter.ORDER)
			.isLessThanOrEqualTo(0)
			.isLessThan(NettyRoutingFilter.ORDER);
	}

	private AtomicReference<Boolean> ask() {
		AtomicReference<Boolean> answer = new AtomicReference<>();
		this.admission.permit().subscribe((permit) -> {
			answer.set(permit.isTaken());
			this.taken.add(permit);
		});
		return answer;
	}

	private void oneEnds() {
		this.taken.remove().end();
	}

	private void takeAll() {
		assertThat(ask()).hasValue(true);
		assertThat(ask()).hasValue(true);
	}

	private void assertNobodyIsInFlight() {
		assertThat(this.admission.warmupsInFlight()).isZero();
		assertThat(this.admission.users()).hasValue(0);
	}

	private static GatewayFilterChain throwing() {
		return (next) -> {
			throw new IllegalStateException("a bug");
		};
	}

	private static MockServerWebExchange warmup() {
		MockServerWebExchange exchange = user();
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, new WarmupContext("a-1", "run-1"));
		return exchange;
	}

	private static MockServerWebExchange user() {
		return MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));
	}

}
