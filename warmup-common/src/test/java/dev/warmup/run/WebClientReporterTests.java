package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.CapturedLog;
import dev.warmup.Gateway;
import dev.warmup.MutableClock;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RequestRecord;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

class WebClientReporterTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private static final WarmupToken TOKEN = WarmupToken.of("token-of-the-tests");

	private final WebClientReporter reporter = new WebClientReporter(WebClient.create(), TOKEN);

	@Test
	void aReportIsPutUnderItsRunsIdWithTheClaimOfTheRun() {
		assertThat(report(noContent(), 1)).isEmpty();
		gateway.verify(1,
				putRequestedFor(urlEqualTo("/.warmup/runs/r-1")).withHeader("Content-Type", equalTo("application/json"))
					.withHeader(WarmupClaim.HEADER, equalTo("instance=host:1; token=token-of-the-tests; run=r-1")));
	}

	@Test
	void theBodyTellsInstancePhaseAndFiguresWithDurationsInIso8601() {
		report(noContent(), 1);
		JsonNode body = body();
		assertThat(body.at("/service").asString()).isEqualTo("chat-service");
		assertThat(body.at("/instanceId").asString()).isEqualTo("host:1");
		assertThat(body.at("/phase").asString()).isEqualTo("DEGRADED");
		assertThat(body.at("/run/verdict").asString()).isEqualTo("DEGRADED");
		assertThat(body.at("/run/startedAt").asString()).isEqualTo("2026-01-01T00:00:00Z");
		assertThat(body.at("/run/took").asString()).isEqualTo("PT4.1S");
		assertThat(body.at("/run/first").asString()).isEqualTo("PT1.105S");
		assertThat(body.at("/run/ratio").asDouble()).isEqualTo(178.2);
		assertThat(body.at("/run/requests/0/name").asString()).isEqualTo("GET /chat-service/rooms/0");
		assertThat(body.at("/run/requests/0/p50").isNull()).isTrue();
	}

	@Test
	void aRehearsalIsAReportAtAnotherPath() {
		gateway.stubFor(put(anyUrl()).willReturn(noContent()));
		verify(this.reporter.rehearse(new Gateway("gw-1", URI.create(gateway.baseUrl())), report(1)));
		gateway.verify(1, putRequestedFor(urlEqualTo("/.warmup/rehearsals/r-1")).withHeader(WarmupClaim.HEADER,
				equalTo("instance=host:1; token=token-of-the-tests; run=r-1")));
		assertThat(body().at("/service").asString()).isEqualTo("chat-service");
	}

	@Test
	void aGatewayThatDoesNotRehearseIsNoNews() {
		gateway.stubFor(put(anyUrl()).willReturn(aResponse().withStatus(404)));
		try (CapturedLog log = CapturedLog.of(WebClientReporter.class)) {
			verify(this.reporter.rehearse(new Gateway("gw-1", URI.create(gateway.baseUrl())), report(1)));
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("WARN"));
		}
		gateway.verify(1, putRequestedFor(urlEqualTo("/.warmup/rehearsals/r-1")));
	}

	@Test
	void aReportThatWouldBeTooLongIsSentWithoutItsRequests() {
		assertThat(report(noContent(), 1_000)).isEmpty();
		JsonNode body = body();
		assertThat(body.at("/run/requests").isEmpty()).isTrue();
		assertThat(body.at("/run/sent").asInt()).isEqualTo(600);
		assertThat(gateway.findAll(putRequestedFor(anyUrl())).get(0).getBody()).hasSizeLessThan(RunReport.MAX_BYTES);
	}

	@Test
	void aGatewaysPathIsKept() {
		gateway.stubFor(put(anyUrl()).willReturn(noContent()));
		for (String path : List.of("/base", "/base/", "/")) {
			verify(this.reporter.report(new Gateway("gw", URI.create(gateway.baseUrl() + path)), report(1)));
		}
		gateway.verify(2, putRequestedFor(urlEqualTo("/base/.warmup/runs/r-1")));
		gateway.verify(1, putRequestedFor(urlEqualTo("/.warmup/runs/r-1")));
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 413, 500, 503 })
	void aGatewayThatDoesNotTakeTheReportIsLogged(int status) {
		assertThat(report(aResponse().withStatus(status), 1)).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("WARN Gateway gw-1 did not take the report of run r-1: ")
				.contains(String.valueOf(status)));
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aGatewayThatBreaksTheConnectionIsLogged(Fault fault) {
		assertThat(report(aResponse().withFault(fault), 1)).hasSize(1);
	}

	@Test
	void aGatewayThatHangsIsGivenUp() {
		WebClient hanging = WebClient.builder().exchangeFunction((request) -> Mono.never()).build();
		try (CapturedLog log = CapturedLog.of(WebClientReporter.class)) {
			StepVerifier
				.withVirtualTime(() -> new WebClientReporter(hanging, TOKEN)
					.report(new Gateway("gw-1", URI.create("http://gateway.invalid")), report(1)))
				.expectSubscription()
				.expectNoEvent(Duration.ofSeconds(4))
				.thenAwait(Duration.ofSeconds(1))
				.expectComplete()
				.verify(PATIENCE);
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void aBugInSendingIsLogged() {
		WebClient broken = WebClient.builder().exchangeFunction((request) -> {
			throw new IllegalStateException("a bug");
		}).build();
		try (CapturedLog log = CapturedLog.of(WebClientReporter.class)) {
			verify(new WebClientReporter(broken, TOKEN)
				.report(new Gateway("gw-1", URI.create("http://gateway.invalid")), report(1)));
			assertThat(log.lines()).singleElement().satisfies((line) -> assertThat(line).contains("a bug"));
		}
	}

	private List<String> report(ResponseDefinitionBuilder answer, int requests) {
		gateway.stubFor(put(anyUrl()).willReturn(answer));
		try (CapturedLog log = CapturedLog.of(WebClientReporter.class)) {
			verify(this.reporter.report(new Gateway("gw-1", URI.create(gateway.baseUrl())), report(requests)));
			return log.lines();
		}
	}

	private static void verify(Mono<Void> report) {
		StepVerifier.create(report).expectComplete().verify(PATIENCE);
	}

	private static JsonNode body() {
		return JsonMapper.shared().readTree(gateway.findAll(putRequestedFor(anyUrl())).get(0).getBody());
	}

	private static RunReport report(int requests) {
		List<RequestRecord> records = Collections.nCopies(requests,
				new RequestRecord("rooms", "GET /chat-service/rooms/0", 6, 1, Optional.of(Duration.ofMillis(5)),
						Optional.empty(), Optional.empty(), false, Optional.empty(),
						Optional.of("GET /chat-service/rooms/0 500")));
		RunRecord run = new RunRecord("r-1", Trigger.STARTUP, Verdict.DEGRADED, "gw-1", MutableClock.START,
				Duration.ofMillis(4_100), Duration.ofSeconds(3), 600, 1, Optional.of(Duration.ofMillis(1_105)),
				Optional.of(Duration.ofMillis(6)), Optional.of(Duration.ofMillis(9)), Optional.of(178.2),
				Duration.ofSeconds(2), 1934, Duration.ofSeconds(5),
				Optional.of("GET /chat-service/rooms/0 500 (expected 2xx)"), List.of(), List.of(), records);
		return new RunReport("chat-service", "host:1", Phase.DEGRADED, GatePosition.OPEN, run);
	}

}
