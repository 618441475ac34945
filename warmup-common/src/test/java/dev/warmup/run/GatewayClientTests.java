package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.CapturedLog;
import dev.warmup.Gateway;
import dev.warmup.MutableClock;
import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.Retries.NoRouteException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.requestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.RunFixture.CLAIM;
import static dev.warmup.run.RunFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class GatewayClientTests {

	@RegisterExtension
	static final WireMockExtension server = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private final GatewayClient client = client(WebClient.create());

	/** A cold JVM may take longer for its first request than the client waits. */
	@BeforeAll
	static void sendFirstRequest() {
		WebClient.create()
			.get()
			.uri(server.baseUrl())
			.exchangeToMono((response) -> response.releaseBody())
			.block(TIMEOUT);
	}

	@ParameterizedTest
	@CsvSource({ "host:1, host:1", "[::1]:80, %5B::1%5D:80", "a/b, a%2Fb", "a%2Fb, a%252Fb", "me@host, me@host" })
	void registrationIsCheckedAndEndedAtTheInstancesPathWithItsProof(String instanceId, String segment) {
		server.stubFor(any(anyUrl()).willReturn(ofGateway(noContent())));
		WarmupClaim claim = this.client.claim(gateway(""), instanceId, SignedClaim.Scope.REPLAY, "r-1");
		StepVerifier.create(this.client.checkRegistration(gateway(""), claim)).expectComplete().verify(TIMEOUT);
		assertThat(await(this.client.deregister(gateway(""), claim))).isTrue();
		for (RequestMethod method : List.of(RequestMethod.GET, RequestMethod.DELETE)) {
			server.verify(1, requestedFor(method.getName(), urlEqualTo("/.warmup/instances/" + segment))
				.withHeader(WarmupClaim.HEADER, equalTo(claim.format())));
		}
	}

	@ParameterizedTest
	@CsvSource({ "/base, /base", "/base/, /base", "/, ''" })
	void aGatewaysPathIsKept(String path, String kept) {
		server.stubFor(any(anyUrl()).willReturn(ofGateway(noContent())));
		StepVerifier
			.create(this.client.checkRegistration(gateway(path),
					this.client.claim(gateway(path), "a", SignedClaim.Scope.REPLAY, "r-1")))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(await(this.client.report(gateway(path), report(1)))).isTrue();
		server.verify(1, requestedFor("GET", urlEqualTo(kept + "/.warmup/instances/a")));
		server.verify(1, putRequestedFor(urlEqualTo(kept + "/.warmup/runs/r-1")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					# status | of a gateway | Date | instance | reason
					404 | true  | | host:1 | does not know host:1 yet
					403 | true  | | host:1 | does not know host:1 yet
					503 | true  | | host:1 | cannot look up host:1 now: 503
					400 | true  | | host:1 | cannot look up host:1 now: 400
					502 | false | | host:1 | answered the registration check with 502: it is not ready, or has no warmup-common
					503 | false | | host:1 | answered the registration check with 503: it is not ready, or has no warmup-common
					404 | true  | | host:my app:1 | does not know host:my app:1 yet; claims allow for letters, digits, and _
					404 | true  | today                         | host:1 | does not know host:1 yet
					404 | true  | Thu, 01 Jan 2026 00:00:29 GMT | host:1 | does not know host:1 yet
					404 | true  | Thu, 01 Jan 2026 01:00:00 GMT | host:1 | does not know host:1 yet; its clock and this instance's differ by 3600 s
					""")
	void aRegistrationThatIsNotAcceptedIsPendingWithItsCause(int status, boolean ofGateway, @Nullable String date,
			String instanceId, String reason) {
		ResponseDefinitionBuilder answer = aResponse().withStatus(status);
		Optional.ofNullable(date).ifPresent((present) -> answer.withHeader("Date", present));
		server.stubFor(any(anyUrl()).willReturn(ofGateway ? ofGateway(answer) : answer));
		WarmupClaim claim = this.client.claim(gateway(""), instanceId, SignedClaim.Scope.REPLAY, "r-1");
		assertThat(pending(this.client, gateway(""), claim).replaceFirst("(, and claims allow| \\. : ).*", ""))
			.isEqualTo("gateway gw-1 " + reason);
	}

	@Test
	void aHostNameThatNoClientAcceptsIsNamedAsTheCause() {
		Gateway gateway = new Gateway("gw-1", URI.create("http://api_gateway:8000"));
		assertThat(pending(this.client, gateway, CLAIM))
			.startsWith("gateway gw-1 cannot be reached: http://api_gateway:8000 has no valid host name");
	}

	@Test
	void aSecretThatDiffersIsNamedAsThePossibleCause() {
		server.stubFor(any(anyUrl()).willReturn(ofGateway(aResponse().withStatus(404))));
		Gateway address = new Gateway(server.baseUrl(), URI.create(server.baseUrl()));
		WarmupKey secret = WarmupKey.shared("a secret of 32 bytes, or of more", new MutableClock());
		GatewayClient withSecret = new GatewayClient(WebClient.create(), secret, "gateway", new MutableClock());
		assertThat(List.of(pending(withSecret, gateway(""), CLAIM), pending(this.client, address, CLAIM)))
			.allSatisfy((reason) -> assertThat(reason).contains("host:1 yet; ").endsWith("need the same warmup.token"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 204, 404 })
	void aGatewayWithoutTheLibraryIsNamedAsTheCauseWithTheFix(int status) {
		server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(status)));
		assertThatExceptionOfType(GatewayClient.UnsupportedException.class)
			.isThrownBy(() -> this.client.checkRegistration(gateway(""), CLAIM).block(TIMEOUT))
			.withMessage("gateway gw-1 does not answer as one with warmup-common (%d to the registration check); add"
					+ " dev.warmup:warmup-common to it, and do not set warmup.enabled=false there", status);
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void overABrokenConnectionTheCheckIsPendingADeregistrationQuietAndAReportLogged(Fault fault) {
		server.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));
		assertThat(pending(this.client, gateway(""), CLAIM)).startsWith("gateway gw-1 cannot be reached: ");
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			assertThat(await(this.client.deregister(gateway(""), CLAIM))).isFalse();
			assertThat(log.lines()).isEmpty();
		}
		assertThat(report(aResponse().withFault(fault), 1)).hasSize(1);
	}

	@Test
	void siblingsAreAsManyAsTheGatewayReportsOrNone() {
		server.stubFor(any(anyUrl()).willReturn(ofGateway(noContent()).withHeader(WarmupClaim.SIBLINGS_HEADER, "3")));
		assertThat(this.client.siblings(gateway(""), CLAIM).block(TIMEOUT)).isEqualTo(3);
		server.stubFor(any(anyUrl()).willReturn(aResponse().withFault(Fault.EMPTY_RESPONSE)));
		assertThat(this.client.siblings(gateway(""), CLAIM).block(TIMEOUT)).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "200, true", "403, true", "404, true", "503, true", "204, false" })
	void onlyNoContentOfAGatewayConfirmsTheDeregistration(int status, boolean ofGateway) {
		ResponseDefinitionBuilder answer = aResponse().withStatus(status);
		server.stubFor(any(anyUrl()).willReturn(ofGateway ? ofGateway(answer) : answer));
		assertThat(await(this.client.deregister(gateway(""), CLAIM))).isFalse();
	}

	@Test
	void aDeregistrationOrReportThatCannotBeVerifiedNowIsSentAgain() {
		server.stubFor(any(anyUrl()).inScenario("a flood")
			.willReturn(ofGateway(aResponse().withStatus(503)))
			.willSetStateTo("over"));
		server.stubFor(
				any(anyUrl()).inScenario("a flood").whenScenarioStateIs("over").willReturn(ofGateway(noContent())));
		assertThat(await(this.client.deregister(gateway(""), CLAIM))).isTrue();
		server.resetScenarios();
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			assertThat(await(this.client.report(gateway(""), report(1)))).isTrue();
			assertThat(log.lines()).isEmpty();
		}
		server.verify(2, putRequestedFor(urlEqualTo("/.warmup/runs/r-1")).withHeader("Content-Type",
				equalTo("application/json")));
	}

	@Test
	void aReportThatWouldBeTooLongIsSentWithoutItsRequests() {
		assertThat(report(ofGateway(noContent()), 1_000)).isEmpty();
		assertThat(body().at("/run/requests").isEmpty()).isTrue();
		assertThat(body().at("/run/sent").asInt()).isEqualTo(600);
		assertThat(server.findAll(putRequestedFor(anyUrl())).get(0).getBody()).hasSizeLessThan(RunReport.MAX_BYTES);
	}

	@Test
	void aDryRunIsAReportThatFailsQuietly() {
		server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(404)));
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			verify(this.client.reportDryRun(gateway(""), report(1)));
			verify(client(broken()).reportDryRun(gateway(""), report(1)));
			assertThat(log.lines()).isEmpty();
		}
		server.verify(1, putRequestedFor(urlEqualTo("/.warmup/runs/r-1")).withHeader(WarmupClaim.HEADER,
				matching("instance=host:1; run=r-1; jwt=[\\w.-]+")));
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 302, 400, 404, 413, 500, 503 })
	void aReportThatTheGatewayDoesNotAcceptOrThatCannotBeSentIsLogged(int status) {
		assertThat(report(aResponse().withStatus(status), 1)).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("WARN Gateway gw-1 did not accept the report of run r-1: ")
				.contains(String.valueOf(status))
				.endsWith(". Does it have warmup-common?"));
		assertThat(report(ofGateway(aResponse().withStatus(status)), 1)).singleElement()
			.satisfies((line) -> assertThat(line).contains(String.valueOf(status)).doesNotContain("Does it"));
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			assertThat(await(client(broken()).report(gateway(""), report(1)))).isFalse();
			assertThat(log.lines()).singleElement().asString().contains("a bug");
		}
	}

	@Test
	void whatAnswersInPlaceOfAGatewayDoesNotAcceptAReport() {
		assertThat(report(noContent(), 1)).singleElement().asString().endsWith(". Does it have warmup-common?");
	}

	@Test
	void aGatewayThatHangsIsGivenUpAfterFiveSeconds() {
		GatewayClient hanging = client(WebClient.builder().exchangeFunction((request) -> Mono.never()).build());
		StepVerifier.withVirtualTime(() -> hanging.checkRegistration(gateway(""), CLAIM))
			.thenAwait(Duration.ofSeconds(5))
			.expectErrorMessage("gateway gw-1 cannot be reached: no answer within 5 s")
			.verify(TIMEOUT);
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			StepVerifier.withVirtualTime(() -> hanging.report(gateway(""), report(1)))
				.expectSubscription()
				.expectNoEvent(Duration.ofSeconds(4))
				.thenAwait(Duration.ofSeconds(1))
				.expectNext(false)
				.expectComplete()
				.verify(TIMEOUT);
			assertThat(log.lines()).hasSize(1);
		}
	}

	private static WebClient broken() {
		return WebClient.builder().exchangeFunction((request) -> {
			throw new IllegalStateException("a bug");
		}).build();
	}

	private static GatewayClient client(WebClient client) {
		return new GatewayClient(client, RunFixture.KEY, "gateway", new MutableClock());
	}

	/** Why the gateway does not accept the claimant yet. */
	private static String pending(GatewayClient client, Gateway gateway, WarmupClaim claim) {
		return catchThrowableOfType(NoRouteException.class,
				() -> client.checkRegistration(gateway, claim).block(TIMEOUT))
			.getMessage();
	}

	private List<String> report(ResponseDefinitionBuilder answer, int requests) {
		server.stubFor(any(anyUrl()).willReturn(answer));
		try (CapturedLog log = CapturedLog.of(GatewayClient.class)) {
			await(this.client.report(gateway(""), report(requests)));
			return log.lines();
		}
	}

	private static ResponseDefinitionBuilder ofGateway(ResponseDefinitionBuilder answer) {
		return answer.withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1");
	}

	private static Gateway gateway(String path) {
		return new Gateway("gw-1", URI.create(server.baseUrl() + path));
	}

	private static void verify(Mono<Void> report) {
		StepVerifier.create(report).expectComplete().verify(TIMEOUT);
	}

	private static boolean await(Mono<Boolean> answer) {
		return answer.blockOptional(TIMEOUT).orElseThrow();
	}

	private static JsonNode body() {
		return JsonMapper.shared().readTree(server.findAll(putRequestedFor(anyUrl())).get(0).getBody());
	}

	private static RunReport report(int requests) {
		List<RunRecord.Request> records = Collections.nCopies(requests,
				new RunRecord.Request("rooms", "GET /chat-service/rooms/0", 6, 1, Optional.of(Duration.ofMillis(5)),
						Optional.empty(), Optional.empty(), false, Optional.of("GET /chat-service/rooms/0 500")));
		return new RunReport("chat-service", "host:1", Phase.DEGRADED, Gate.Position.OPEN,
				Reports.run("r-1", Trigger.STARTUP, Verdict.DEGRADED, 1, "GET /chat-service/rooms/0 500", records));
	}

}
