package dev.warmup.insight;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.actuate.GatewayMeters;
import dev.warmup.gateway.Reports;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoverageLogTests {

	private static final String LINE = "INFO coverage: the catalog covers 50.0 % of 2 user requests; "
			+ "most frequent uncovered: GET /chat-service/rooms/{id} (1)";

	private final Coverage coverage = new Coverage(new MutableClock());

	private final CoverageLog coverageLog = new CoverageLog(this.coverage);

	private final CapturedLog log = CapturedLog.of("dev.warmup.status");

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void nothingIsToldWithoutUsers() {
		this.coverage.warmupSent("GET", "/chat-service/rooms");
		this.coverageLog.onReport(Reports.warm("chat-service", "chat-1", "run-1"));
		this.coverageLog.day();
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void coverageIsToldAfterARunIfUsersWereHereSince() {
		users();
		this.coverageLog.onReport(Reports.warm("chat-service", "chat-1", "run-1"));
		this.coverageLog.onReport(Reports.warm("chat-service", "chat-2", "run-2"));
		assertThat(this.log.lines()).containsExactly(LINE);
	}

	@Test
	void coverageIsToldEachDayThatUsersWereHere() {
		users();
		this.coverageLog.day();
		this.coverageLog.day();
		assertThat(this.log.lines()).containsExactly(LINE);
		users();
		this.coverageLog.day();
		assertThat(this.log.lines()).hasSize(2).last().isEqualTo(LINE);
	}

	@Test
	void gaugeIsTheShareAndNotANumberBeforeTheFirstUser() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		new GatewayMeters(registry, this.coverage);
		Gauge gauge = registry.get("warmup.coverage").gauge();
		assertThat(gauge.value()).isNaN();
		users();
		assertThat(gauge.value()).isEqualTo(0.5);
		assertThat(gauge.getId().getBaseUnit()).isEqualTo("share");
		assertThat(gauge.getId().getDescription()).isNotBlank();
	}

	private void users() {
		this.coverage.warmupSent("GET", "/chat-service/rooms");
		this.coverage.userSent("GET", "/chat-service/rooms");
		this.coverage.userSent("GET", "/chat-service/rooms/1");
	}

}
