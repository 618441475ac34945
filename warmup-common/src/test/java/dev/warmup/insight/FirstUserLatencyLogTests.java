package dev.warmup.insight;

import java.time.Duration;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.gateway.BaselineLatency;
import dev.warmup.gateway.FirstUserLatency;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class FirstUserLatencyLogTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private static final BaselineLatency STEADY = new BaselineLatency(Duration.ofMillis(2), Duration.ofMillis(4), 600);

	private final Fleet fleet = new Fleet(new MutableClock());

	private final Coverage coverage = new Coverage(new MutableClock());

	private final FirstUserLatencyLog truthLog = new FirstUserLatencyLog(this.fleet, this.coverage::report);

	private final CapturedLog log = CapturedLog.of("dev.warmup.status");

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void promiseThatWasKeptIsOneLine() {
		log("WARM", STEADY, 3, 9);
		assertThat(this.log.lines()).containsExactly("INFO chat-service/chat-1 first 100 user requests after warm-up "
				+ "on route chat-service: p50 3.0 ms (1.5x steady), p99 9.0 ms (2.3x steady p95)");
	}

	@Test
	void exactlyTheFactorIsNoWarning() {
		log("WARM", STEADY, 6, 9);
		assertThat(this.log.lines()).singleElement().asString().startsWith("INFO ");
	}

	@Test
	void warningNamesTheLoadWhereThereIsNothingElse() {
		log("WARM", STEADY, 31, 60);
		assertThat(this.log.lines()).containsExactly("WARN chat-service/chat-1 first 100 user requests after warm-up "
				+ "on route chat-service: p50 31.0 ms (16x steady), p99 60.0 ms (15x steady p95); more than 3x, "
				+ "likely because there was other load at that moment");
	}

	@Test
	void warningNamesTheVerdict() {
		log("TIMED_OUT", STEADY, 31, 60);
		log("DEGRADED", STEADY, 31, 60);
		assertThat(this.log.lines()).hasSize(2)
			.satisfiesExactly(
					(line) -> assertThat(line).endsWith(
							"likely because the run ended before it was steady (TIMED_OUT), or there was other load at"
									+ " that moment"),
					(line) -> assertThat(line)
						.endsWith("likely because the run ended DEGRADED, or there was other load at that moment"));
	}

	@Test
	void warningNamesTheRouteThatWasNotWarmed() {
		log("WARM", new BaselineLatency(Duration.ofMillis(2), Duration.ofMillis(4), 0), 31, 60);
		log("WARM", new BaselineLatency(Duration.ofMillis(2), Duration.ofMillis(4), 12), 31, 60);
		assertThat(this.log.lines()).satisfiesExactly(
				(line) -> assertThat(line).contains("likely because no request of the run took this route"),
				(line) -> assertThat(line).contains("likely because only 12 requests of the run took this route"));
	}

	@Test
	void warningNamesWhatTheCatalogDoesNotCover() {
		this.coverage.warmupSent("GET", "/chat-service/rooms");
		for (int i = 0; i < 3; i++) {
			this.coverage.userSent("GET", "/chat-service/rooms");
		}
		this.coverage.userSent("GET", "/chat-service/rooms/1");
		log("WARM", STEADY, 31, 60);
		assertThat(this.log.lines()).singleElement()
			.asString()
			.contains("likely because the catalog does not cover 25.0 % of user requests, such as"
					+ " GET /chat-service/rooms/{id} (1), or ");
	}

	@Test
	void warningLeavesOutALittleThatIsNotCovered() {
		this.coverage.warmupSent("GET", "/chat-service/rooms");
		for (int i = 0; i < 99; i++) {
			this.coverage.userSent("GET", "/chat-service/rooms");
		}
		this.coverage.userSent("GET", "/chat-service/rooms/1");
		log("WARM", STEADY, 31, 60);
		assertThat(this.log.lines()).singleElement().asString().doesNotContain("catalog");
	}

	@Test
	void warningNamesTheWarmupOfOthers() {
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-2"), "run-2", "rooms", Duration.ofMillis(3), true);
		log("WARM", STEADY, 31, 60);
		assertThat(this.log.lines()).singleElement().asString().contains("another instance was being warmed");
	}

	@Test
	void routeThatBreaksTheLineDoesNot() {
		this.truthLog.onFirstUserLatency(truth("WARM", "a\nb\u2028c", STEADY, 2, 4));
		assertThat(this.log.lines()).singleElement().asString().contains("on route a?b?c: p50");
	}

	private void log(String verdict, BaselineLatency steady, long p50, long p99) {
		this.truthLog.onFirstUserLatency(truth(verdict, "chat-service", steady, p50, p99));
	}

	private static FirstUserLatency truth(String verdict, String route, BaselineLatency steady, long p50, long p99) {
		RunReport report = JsonMapper.shared()
			.readValue(Reports.json(Reports.warm("chat-service", "chat-1", "run-1"))
				.replace("\"verdict\":\"WARM\"", "\"verdict\":\"" + verdict + "\""), RunReport.class);
		return new FirstUserLatency(CHAT, route, report.run(), steady, Duration.ofMillis(p50), Duration.ofMillis(p99));
	}

}
