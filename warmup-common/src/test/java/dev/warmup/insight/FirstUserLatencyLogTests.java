package dev.warmup.insight;

import java.time.Duration;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.gateway.FirstUserLatency;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class FirstUserLatencyLogTests {

	private static final String OTHER_LOAD = "there was other load at that moment";

	private final Fleet fleet = new Fleet(new MutableClock());

	private final Coverage coverage = new Coverage(new MutableClock());

	private final FirstUserLatencyLog latencyLog = new FirstUserLatencyLog(this.fleet, this.coverage::report);

	private final CapturedLog log = CapturedLog.of("dev.warmup.status");

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void medianUpToThreeTimesSteadyIsOneLineAndAGreaterOneAWarning() {
		assertThat(logged("WARM", "chat-service", 600, 3, 9))
			.isEqualTo("INFO chat-service/chat-1 first 100 user requests after warm-up "
					+ "on route chat-service: p50 3.0 ms (1.5x steady), p99 9.0 ms (2.3x steady p95)");
		assertThat(logged("WARM", "chat-service", 600, 6, 9)).startsWith("INFO ");
		assertThat(slow("WARM", 600)).isEqualTo("WARN chat-service/chat-1 first 100 user requests after warm-up "
				+ "on route chat-service: p50 31.0 ms (16x steady), p99 60.0 ms (15x steady p95); more than 3x, "
				+ "likely because " + OTHER_LOAD);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			TIMED_OUT | 600 | the run ended before it was steady (TIMED_OUT)
			DEGRADED  | 600 | the run ended DEGRADED
			WARM      | 12  | only 12 requests of the run took this route
			WARM      | 0   | no request of the run took this route, and users are compared with the whole run
			""")
	void warningNamesWhatTheRunLacked(String verdict, long requests, String cause) {
		assertThat(slow(verdict, requests)).endsWith("likely because %s, or %s".formatted(cause, OTHER_LOAD));
	}

	@Test
	void warningNamesWhatTheCatalogDoesNotCoverIfThatIsMuch() {
		this.coverage.warmupSent("GET", "/chat-service/rooms");
		this.coverage.userSent("GET", "/chat-service/rooms/1");
		for (int i = 0; i < 3; i++) {
			this.coverage.userSent("GET", "/chat-service/rooms");
		}
		assertThat(slow("WARM", 600)).contains("likely because the catalog does not cover 25.0 % of user requests, "
				+ "such as GET /chat-service/rooms/{id} (1), or ");
		for (int i = 0; i < 6; i++) {
			this.coverage.userSent("GET", "/chat-service/rooms");
		}
		assertThat(slow("WARM", 600)).doesNotContain("catalog");
	}

	@Test
	void warningNamesTheWarmupOfOthers() {
		this.fleet.warmupAnswered(new Instance("chat-service", "chat-2"), "run-2", "rooms", Duration.ofMillis(3), true);
		assertThat(slow("WARM", 600)).contains("another instance was being warmed");
	}

	@Test
	void lineBreaksInTheRouteAreReplaced() {
		assertThat(logged("WARM", "a\nb\u2028c", 600, 2, 4)).contains("on route a?b?c: p50");
	}

	private String slow(String verdict, long requests) {
		return logged(verdict, "chat-service", requests, 31, 60);
	}

	private String logged(String verdict, String route, long requests, long p50, long p99) {
		RunReport report = JsonMapper.shared()
			.readValue(Reports.json(Reports.warm("chat-service", "chat-1", "run-1"))
				.replace("\"verdict\":\"WARM\"", "\"verdict\":\"" + verdict + "\""), RunReport.class);
		int before = this.log.lines().size();
		this.latencyLog.onFirstUserLatency(new FirstUserLatency(new Instance("chat-service", "chat-1"), route,
				report.run(), new FirstUserLatency.Baseline(Duration.ofMillis(2), Duration.ofMillis(4), requests),
				Duration.ofMillis(p50), Duration.ofMillis(p99)));
		return assertThat(this.log.lines()).hasSize(before + 1).last(InstanceOfAssertFactories.STRING).actual();
	}

}
