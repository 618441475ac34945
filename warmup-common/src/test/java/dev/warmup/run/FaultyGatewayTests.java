package dev.warmup.run;

import java.time.Duration;
import java.util.List;

import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.HttpRunFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever the gateway does, a run ends in a verdict that names it, and the gate opens.
 */
@Timeout(60)
@Tag("full")
class FaultyGatewayTests {

	private static final Catalog CATALOG = Catalogs.of("""
			version: 1
			defaults: { timeout: 500ms }
			scenarios:
			  - { name: first, requests: [GET /first] }
			  - { name: second, requests: [GET /second] }
			""");

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private final HttpRunFixture fixture = new HttpRunFixture(Duration.ofSeconds(2), 2);

	@BeforeEach
	void open() {
		HttpRunFixture.accept(gateway);
	}

	@Test
	void aGatewayWithoutTheLibraryIsNamedWithTheFix() {
		gateway.resetAll();
		gateway.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(ok()));
		assertFailed("gateway gw-1 answered without proof of the instance (GET /first: 200)");
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aGatewayThatFailsInTheMiddleOfARunIsNamed(Fault fault) {
		gateway.stubFor(get("/first").willReturn(proved(ok())));
		gateway.stubFor(get("/second").willReturn(aResponse().withFault(fault)));
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.failed()).isEqualTo(2);
	}

	@Test
	void anAnswerThatNeverComesEndsInAVerdict() {
		gateway.stubFor(get("/first").willReturn(proved(ok()).withFixedDelay(120_000)));
		assertFailed("GET /first through gateway gw-1: no answer");
	}

	@Test
	void aBodyThatNeverEndsEndsInAVerdict() {
		gateway.stubFor(get("/first").willReturn(proved(ok("endless")).withChunkedDribbleDelay(7, 120_000)));
		assertFailed("GET /first through gateway gw-1: no answer");
	}

	@Test
	void aGatewayThatHangsInTheMiddleOfARunEndsInAVerdict() {
		gateway.stubFor(get("/first").willReturn(proved(ok())));
		gateway.stubFor(get("/second").willReturn(proved(ok("endless")).withChunkedDribbleDelay(7, 120_000)));
		assertThat(run().verdict()).isIn(Verdict.DEGRADED, Verdict.TIMED_OUT);
	}

	@Test
	void aRefusedConnectionEndsInAVerdict() {
		List<RunRecord> runs = this.fixture.run(CATALOG, "http://localhost:1");
		assertThat(runs.get(0).reason().orElseThrow()).startsWith("gateway gw-1 cannot be reached: ")
			.contains("Connection refused");
		assertThat(this.fixture.gate.isOpen()).isTrue();
	}

	private void assertFailed(String reason) {
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason().orElseThrow()).startsWith(reason);
		if (reason.startsWith("gateway gw-1 answered")) {
			assertThat(run.reason().orElseThrow()).contains("add dev.warmup:warmup-common to the gateway");
		}
	}

	private RunRecord run() {
		try (CapturedLog log = CapturedLog.of("dev.warmup")) {
			RunRecord run = this.fixture.run(CATALOG, gateway.baseUrl()).get(0);
			assertThat(this.fixture.gate.isOpen()).isTrue();
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("ERROR"));
			return run;
		}
	}

}
