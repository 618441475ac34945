package dev.warmup.loadbalancer;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.warmup.Exchanges;
import dev.warmup.Instances;
import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class UserSharesTests {

	private static final ServiceInstance OLD = Instances.of("old");

	private static final ServiceInstance NEW = Instances.of("new");

	private static final ServiceInstance NEWER = Instances.of("newer");

	private final MutableClock clock = new MutableClock();

	private double random;

	private final UserShares shares = new UserShares(this.clock, Duration.ofMinutes(1), () -> this.random);

	@Test
	void listIsLeftAsItIsWhileNobodyRamps() {
		List<ServiceInstance> all = List.of(OLD, NEW);
		assertThat(this.shares.isIdle()).isTrue();
		assertThat(this.shares.among(all)).isSameAs(all);
		assertThat(this.shares.of("new")).isEqualTo(1);
	}

	@Test
	void newInstanceIsListedInProportionToItsWeight() {
		this.shares.begin(NEW);
		assertThat(this.shares.of("new")).isEqualTo(0.05);
		this.random = 0.04;
		assertThat(this.shares.among(List.of(NEW, OLD))).containsExactly(NEW, OLD);
		this.random = 0.06;
		assertThat(this.shares.among(List.of(NEW, OLD))).containsExactly(OLD);
	}

	@Test
	void whereNobodyElseCouldAnswerNobodyIsLeftOut() {
		this.shares.begin(NEW);
		this.shares.begin(NEWER);
		this.random = 0.99;
		assertThat(this.shares.among(List.of(NEW))).containsExactly(NEW);
		assertThat(this.shares.among(List.of(NEW, NEWER))).containsExactly(NEW, NEWER);
		assertThat(this.shares.among(List.of())).isEmpty();
	}

	@Test
	void aFullMemberThatCannotBeReachedDoesNotCount() {
		this.shares.begin(NEW);
		this.random = 0.99;
		fail(new ConnectException("refused"));
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW);
		assertThat(this.shares.among(List.of(OLD, Instances.of("other"), NEW)))
			.extracting(ServiceInstance::getInstanceId)
			.containsExactly("old", "other");
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD);
		fail(new IOException("reset"));
		assertThat(this.shares.among(List.of(OLD, NEW))).as("it may have answered others").containsExactly(OLD);
	}

	@Test
	void anInstanceThatCannotBeReachedIsNoFasterForThat() {
		this.shares.begin(NEW);
		users(OLD, "", 50, Duration.ofMillis(10));
		for (int i = 0; i < 50; i++) {
			fail(NEW, new ConnectException("refused"));
		}
		assertThat(this.shares.of("new")).isLessThan(1);
	}

	private void fail(Exception error) {
		fail(OLD, error);
	}

	private void fail(ServiceInstance chosen, Exception error) {
		ServerWebExchange exchange = Exchanges.chosen(Exchanges.get("/rooms"), chosen);
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, URI.create("lb://chat/rooms"));
		AnnouncedInstances none = new AnnouncedInstances(this.clock, (instance) -> false, (service) -> {
		}, Schedulers.immediate());
		StepVerifier
			.create(new UnreachableInstanceFilter(none, this.shares).filter(exchange,
					(next) -> new UserShareFilter(this.shares).filter(next, (last) -> Mono.error(error))))
			.expectErrorMessage(error.getMessage())
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void aFullMemberThatCouldNotBeReachedBeforeDoesNotCount() {
		fail(new ConnectException("refused"));
		this.shares.begin(NEW);
		this.random = 0.99;
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW);
	}

	@Test
	void siblingsThatCutOffTheirUsersAreSlow() {
		this.shares.begin(NEW);
		users(OLD, "rooms", 20, Duration.ofSeconds(1), UserShares.Waiting::canceled);
		users(NEW, "rooms", 20, Duration.ofMillis(10));
		assertThat(this.shares.of("new")).isEqualTo(1);
	}

	@Test
	void siblingsThatAnImpatientUserLeavesAreNotSlow() {
		this.shares.begin(NEW);
		users(OLD, "rooms", 20, Duration.ofMillis(100), UserShares.Waiting::canceled);
		users(NEW, "rooms", 20, Duration.ofMillis(10));
		assertThat(this.shares.of("new")).isCloseTo(0.05, within(0.02));
	}

	@Test
	void nobodyRampsAfterTheWindowOrLeavingOrWithoutAWindow() {
		this.shares.begin(NEW);
		this.random = 0.99;
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW);
		assertThat(this.shares.isIdle()).isTrue();
		this.shares.begin(NEW);
		this.shares.end("new");
		assertThat(this.shares.isIdle()).isTrue();
		UserShares none = new UserShares(this.clock, Duration.ZERO, () -> 0.99);
		none.begin(NEW);
		assertThat(none.isIdle()).isTrue();
	}

	@Test
	void aUserWhoWaitsBoundsThoseWhoFollow() {
		this.shares.begin(NEW);
		UserShares.Waiting waiting = this.shares.waiting(NEW, "rooms");
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD);
		waiting.canceled();
		waiting.answered(true);
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW);
	}

	@Test
	void onlyTheFirstEndOfAWaitCounts() {
		this.shares.begin(NEW);
		users(OLD, "rooms", 5, Duration.ofMillis(10));
		users(NEW, "rooms", 50, Duration.ofMillis(10), (waiting) -> {
			waiting.answered(false);
			waiting.answered(true);
		});
		assertThat(this.shares.of("new")).isEqualTo(1);
	}

	@Test
	void aLongPollHoldsThePlaceOfOthersForFiveSeconds() {
		this.shares.begin(NEW);
		UserShares.Waiting poll = this.shares.waiting(NEW, "poll");
		this.clock.advance(Duration.ofMillis(4999));
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW);
		this.shares.waiting(NEW, "rooms");
		poll.answered(false);
		assertThat(this.shares.among(List.of(OLD, NEW))).as("the other waits").containsExactly(OLD);
	}

	@ParameterizedTest
	@CsvSource({ "Accept, text/event-stream", "Accept, 'application/json, Application/X-NDJSON;q=0.9'",
			"Content-Type, application/grpc+proto", "Upgrade, websocket" })
	void aQuietStreamDoesNotHoldThePlaceOfAUser(String header, String value) {
		this.shares.begin(NEW);
		ServerWebExchange stream = Exchanges.chosen(Exchanges.get("/events", header, value), NEW);
		StepVerifier.create(new UserShareFilter(this.shares).filter(stream, (next) -> Mono.never()))
			.expectSubscription()
			.then(() -> assertThat(this.shares.among(List.of(OLD, NEW))).containsExactly(OLD, NEW))
			.thenCancel()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void aUserWhoCameBeforeTheRampDoesNotCount() {
		UserShares.Waiting before = this.shares.waiting(NEW, "rooms");
		this.shares.begin(NEW);
		before.answered(false);
		this.shares.waiting(NEW, "rooms");
		assertThat(this.shares.among(List.of(OLD, NEW))).as("one waits, and no more may").containsExactly(OLD);
	}

	@ParameterizedTest
	@CsvSource({ "false, 0.05", "true, 1" })
	void failuresAreComparedWithThoseOfSiblings(boolean siblingsFail, double weight) {
		this.shares.begin(NEW);
		for (int i = 0; i < 20; i++) {
			this.shares.waiting(OLD, "rooms").answered(siblingsFail);
			this.shares.waiting(NEW, "rooms").answered(true);
		}
		assertThat(this.shares.of("new")).isEqualTo(weight);
	}

	@Test
	void whoIsCutOffCountsAsOneWhoWaitedForSoLong() {
		this.shares.begin(NEW);
		users(OLD, "report", 5, Duration.ofMillis(10));
		leave("report", 5, Duration.ofSeconds(1));
		users(OLD, "rooms", 50, Duration.ofMillis(10));
		users(NEW, "rooms", 50, Duration.ofMillis(10));
		assertThat(this.shares.of("new")).isLessThan(1);
	}

	@Test
	void whoLeavesBeforeOthersAreAnsweredDoesNotCount() {
		this.shares.begin(NEW);
		users(OLD, "report", 5, Duration.ofMillis(10));
		leave("report", 50, Duration.ofMillis(1));
		users(OLD, "rooms", 50, Duration.ofMillis(10));
		users(NEW, "rooms", 50, Duration.ofMillis(13));
		assertThat(this.shares.of("new")).as("no faster for that").isLessThan(1);
	}

	private void users(ServiceInstance of, String route, int count, Duration latency) {
		users(of, route, count, latency, (waiting) -> waiting.answered(false));
	}

	private void leave(String route, int count, Duration after) {
		users(NEW, route, count, after, UserShares.Waiting::canceled);
	}

	private void users(ServiceInstance of, String route, int count, Duration after, Consumer<UserShares.Waiting> end) {
		for (int i = 0; i < count; i++) {
			UserShares.Waiting waiting = this.shares.waiting(of, route);
			this.clock.advance(after);
			end.accept(waiting);
		}
	}

	@Test
	void anInstanceOfNoServiceHasUsers() {
		this.shares.begin(NEW);
		users(Instances.of(null, "own"), "rooms", 1, Duration.ofMillis(5));
		assertThat(this.shares.of("new")).isLessThan(1);
	}

}
