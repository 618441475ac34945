package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.HttpRunFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/** Whole runs on real threads; BlockHound sees that none of it blocks an event loop. */
@Timeout(60)
class RunOverHttpTests {

	@RegisterExtension
	static final WireMockExtension server = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private static final Catalog CATALOG = Catalogs.of("""
			version: 1
			scenarios:
			  - name: a
			    requests:
			      - { name: one, path: /a, method: GET, capture: { id: $.id } }
			      - GET /a/{{id}}/{{uuid}}/{{randomInt(1,9)}}/{{now}}
			      - GET /a/{{uuid}}
			  - { name: b, requests: ["GET /b/{{uuid}}", "GET /b/{{uuid}}"] }
			""");

	private final HttpRunFixture fixture = new HttpRunFixture(Duration.ofMinutes(1), 10);

	@Test
	void aRunThroughTwoGatewaysEndsWarmWithoutBlocking() {
		HttpRunFixture.accept(server);
		answer();
		assertWarm(this.fixture.run(CATALOG, server.baseUrl(), server.baseUrl()));
		server.verify(2, getRequestedFor(urlEqualTo("/.warmup/instances/host:1")));
		server.verify(100, getRequestedFor(urlMatching("/[ab].*")));
		server.verify(2, putRequestedFor(urlMatching("/.warmup/runs/.*")));
	}

	@Test
	void theReportSaysThatTheGateIsOpenAndItsRehearsalsThatItIsNot() {
		HttpRunFixture.accept(server);
		answer();
		this.fixture.run(CATALOG, server.baseUrl());
		assertThat(this.fixture.gate.isOpen()).isTrue();
		assertThat(server.findAll(putRequestedFor(urlMatching("/.warmup/runs/.*")))).singleElement()
			.satisfies((report) -> assertThat(report.getBodyAsString()).contains("\"gate\":\"OPEN\""));
		assertThat(server.findAll(putRequestedFor(urlMatching("/.warmup/rehearsals/.*")))).isNotEmpty()
			.allSatisfy((report) -> assertThat(report.getBodyAsString()).contains("\"gate\":\"CLOSED\""));
	}

	@Test
	void aPlainProxyThatPassesTheHeadersOnWillDo() {
		answer();
		assertWarm(this.fixture.run(CATALOG, server.baseUrl(), server.baseUrl()));
	}

	@Test
	void aBusyGatewayAndInstancesThatArePassedByDoNotSpoilTheRun() {
		HttpRunFixture.accept(server);
		answer();
		server.stubFor(get("/a").inScenario("a")
			.whenScenarioStateIs("Started")
			.willReturn(aResponse().withStatus(429).withHeader("Retry-After", "0"))
			.willSetStateTo("admitted"));
		server.stubFor(get("/a").inScenario("a")
			.whenScenarioStateIs("admitted")
			.willReturn(aResponse().withStatus(421))
			.willSetStateTo("found"));
		server.stubFor(get("/a").inScenario("a")
			.whenScenarioStateIs("found")
			.willReturn(proved(okJson("{\"id\": 7}")))
			.willSetStateTo("Started"));
		RunRecord run = this.fixture.run(CATALOG, server.baseUrl()).get(0);
		assertThat(run.reason()).isEmpty();
		assertThat(run.sent()).isEqualTo(50);
		server.verify(30, getRequestedFor(urlEqualTo("/a")));
		server.verify(30, getRequestedFor(urlEqualTo("/a")).withHeader("X-Warmup",
				matching("instance=host:1; run=" + run.id() + "; jwt=[\\w.-]+")));
	}

	private static void assertWarm(List<RunRecord> runs) {
		assertThat(runs).extracting(RunRecord::reason).containsOnly(Optional.empty());
		assertThat(runs).extracting(RunRecord::verdict).containsExactly(Verdict.WARM, Verdict.WARM);
		assertThat(runs).extracting(RunRecord::sent).containsExactly(50L, 50L);
	}

	private static void answer() {
		server.stubFor(any(urlMatching("/[ab].*")).willReturn(proved(okJson("{\"id\": 7}"))));
	}

}
