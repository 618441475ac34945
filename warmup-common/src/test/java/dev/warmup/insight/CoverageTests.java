package dev.warmup.insight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.StepVerifier;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class CoverageTests {

	private final MutableClock clock = new MutableClock();

	private final Coverage coverage = new Coverage(this.clock);

	@Test
	void usersAreComparedWithWhatRunsSend() {
		this.coverage.warmupSent("GET", "/chat/rooms/1");
		assertThat(this.coverage.report()).isEqualTo(new Coverage.Report(MutableClock.START, 0, 0, List.of()));
		assertThat(this.coverage.report().share()).isEmpty();
		users(3, "GET", "/chat/rooms/77");
		users(2, "GET", "/chat/rooms");
		users(1, "POST", "/chat/rooms/1");
		Coverage.Report report = this.coverage.report();
		assertThat(report.requests()).isEqualTo(6);
		assertThat(report.covered()).isEqualTo(3);
		assertThat(report.share()).hasValue(0.5);
		assertThat(report.uncovered())
			.extracting(Coverage.Report.Uncovered::method, Coverage.Report.Uncovered::path,
					Coverage.Report.Uncovered::requests)
			.containsExactly(tuple("GET", "/chat/rooms", 2L), tuple("POST", "/chat/rooms/{id}", 1L));
		assertThat(report.uncovered().get(0).entry()).hasValue("- GET /chat/rooms");
		assertThat(report.uncovered().get(1).entry()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "200, 1", "404, 0", "500, 1", ", 1" })
	void whatIsRefusedDoesNotCount(@Nullable Integer status, int requests) {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));
		exchange.getResponse().setRawStatusCode(status);
		StepVerifier.create(this.coverage.filter(exchange, (answered) -> answered.getResponse().setComplete()))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(this.coverage.report().requests()).isEqualTo(requests);
	}

	@Test
	void kindThatIsCoveredOnlyLaterCountsAsCovered() {
		users(3, "GET", "/chat/rooms");
		this.coverage.turnDay();
		users(2, "GET", "/chat/rooms");
		this.coverage.warmupSent("GET", "/chat/rooms");
		users(1, "GET", "/chat/rooms");
		Coverage.Report report = this.coverage.report();
		assertThat(report.share()).hasValue(1.0);
		assertThat(report.covered()).isEqualTo(6);
		assertThat(report.uncovered()).isEmpty();
	}

	@Test
	void requestsBeforeYesterdayAreForgottenButNotWhatIsCovered() {
		this.coverage.warmupSent("GET", "/chat/rooms");
		users(1, "GET", "/first");
		this.clock.advance(Duration.ofDays(1));
		this.coverage.turnDay();
		users(1, "GET", "/second");
		assertThat(this.coverage.report().requests()).isEqualTo(2);
		assertThat(this.coverage.report().since()).isEqualTo(MutableClock.START);
		this.clock.advance(Duration.ofDays(1));
		this.coverage.turnDay();
		users(1, "GET", "/second");
		Coverage.Report report = this.coverage.report();
		assertThat(report.requests()).isEqualTo(2);
		assertThat(report.since()).isEqualTo(MutableClock.START.plus(Duration.ofDays(1)));
		assertThat(report.uncovered()).extracting(Coverage.Report.Uncovered::path, Coverage.Report.Uncovered::requests)
			.containsExactly(tuple("/second", 2L));
		users(2, "GET", "/chat/rooms");
		assertThat(this.coverage.report().share()).hasValue(0.5);
	}

	@Test
	void hundredThousandPathsTakeBoundedMemoryAndLeaveTheShareTrue() {
		this.coverage.warmupSent("GET", "/chat/rooms");
		IntStream.range(0, 5000).forEach((i) -> this.coverage.warmupSent("GET", "/covered/" + word(i)));
		IntStream.range(0, 100_000).forEach((i) -> {
			this.coverage.userSent("GET", "/" + word(i));
			if (i % 10 == 0) {
				this.coverage.userSent("GET", "/frequent");
				this.coverage.userSent("GET", "/chat/rooms");
			}
		});
		Coverage.Report report = this.coverage.report();
		assertThat(report.requests()).isEqualTo(120_000);
		assertThat(report.covered()).isEqualTo(10_000);
		assertThat(report.uncovered()).hasSize(10).first().satisfies((most) -> {
			assertThat(most.path()).isEqualTo("/frequent");
			assertThat(most.requests()).isEqualTo(10_000);
		});
		users(1, "GET", "/covered/" + word(0));
		users(1, "GET", "/covered/" + word(4999));
		assertThat(this.coverage.report().covered()).as("the first kinds, not all").isEqualTo(10_001);
	}

	@Test
	void aThousandKindsThatAreNotCoveredAreCountedByThemselves() {
		IntStream.range(0, 2 * Coverage.MAX_KINDS).forEach((i) -> users(1, "GET", "/" + word(i)));
		int half = Coverage.MAX_KINDS / 2;
		IntStream.range(half, half + Coverage.MAX_KINDS).forEach((i) -> this.coverage.warmupSent("GET", "/" + word(i)));
		assertThat(this.coverage.report().covered()).as("without those beyond").isEqualTo(half);
	}

	@Test
	void noRequestIsLostToTheShareWhereManySendAtOnce() throws Exception {
		this.coverage.warmupSent("GET", "/covered");
		ExecutorService threads = Executors.newFixedThreadPool(8);
		AtomicBoolean over = new AtomicBoolean();
		try {
			Future<?> reader = threads.submit(() -> {
				while (!over.get()) {
					Coverage.Report report = this.coverage.report();
					assertThat(report.covered()).isBetween(0L, report.requests());
				}
			});
			List<Future<?>> users = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				users.add(threads.submit(() -> {
					users(10_000, "GET", "/covered");
					users(10_000, "GET", "/uncovered");
				}));
			}
			for (Future<?> user : users) {
				user.get();
			}
			over.set(true);
			reader.get();
		}
		finally {
			over.set(true);
			threads.shutdownNow();
		}
		Coverage.Report report = this.coverage.report();
		assertThat(report.requests()).isEqualTo(120_000);
		assertThat(report.covered()).isEqualTo(60_000);
		assertThat(report.uncovered()).singleElement()
			.satisfies((each) -> assertThat(each.requests()).isBetween(1L, 60_000L));
	}

	private void users(int count, String method, String path) {
		for (int i = 0; i < count; i++) {
			this.coverage.userSent(method, path);
		}
	}

	/** A name without digits, a different one for each number. */
	private static String word(int number) {
		StringBuilder word = new StringBuilder("w");
		for (int rest = number; rest > 0; rest /= 20) {
			word.append((char) ('g' + rest % 20));
		}
		return word.toString();
	}

}
