package dev.warmup.run;

import java.time.Duration;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.warmup.Catalogs;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

/** Verdicts on services that do not get steady, over real connections. */
@Timeout(60)
@Tag("full")
class UnsettledServiceTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private static final SteadyCriteria CRITERIA = new SteadyCriteria(0.1, 0.3, 30, 1_000, 1_000_000);

	@BeforeEach
	void accept() {
		HttpRunFixture.accept(gateway);
		gateway.stubFor(get("/fine").willReturn(HttpRunFixture.proved(ok()).withFixedDelay(5)));
	}

	@Test
	void aRequestWithRandomDelaysIsTimedOutWithWhatItDid() {
		gateway.stubFor(get("/random").willReturn(HttpRunFixture.proved(ok()).withLogNormalRandomDelay(20, 1.5)));
		RunRecord run = run(Duration.ofSeconds(12), "GET /fine", "GET /random");
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.failed()).isZero();
		assertThat(run.reason().orElseThrow()).startsWith("the budget was spent before all was steady: ")
			.containsPattern("GET /random (varied by|still fell by) \\d+ %");
	}

	@Test
	void aRequestThatFailsHalfTheTimeIsDegradedAndNotWaitedFor() {
		gateway.stubFor(get("/half").inScenario("half")
			.whenScenarioStateIs(Scenario.STARTED)
			.willReturn(HttpRunFixture.proved(ok()))
			.willSetStateTo("bad"));
		gateway.stubFor(get("/half").inScenario("half")
			.whenScenarioStateIs("bad")
			.willReturn(HttpRunFixture.proved(serverError()))
			.willSetStateTo(Scenario.STARTED));
		RunRecord run = run(Duration.ofSeconds(60), "GET /fine", "GET /half");
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.reason()).hasValue("GET /half 500 (expected 2xx)");
		assertThat(run.failed()).isEqualTo(run.sent() / 4);
	}

	private static RunRecord run(Duration budget, String... requests) {
		RunSettings settings = RunFixture.settings(budget, 20, 5_000, 1, CRITERIA);
		return new HttpRunFixture(settings).run(Catalogs.ofRequests(requests), gateway.baseUrl()).get(0);
	}

}
