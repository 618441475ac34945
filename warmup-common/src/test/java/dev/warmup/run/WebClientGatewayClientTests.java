package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.CapturedLog;
import dev.warmup.Gateway;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.requestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

class WebClientGatewayClientTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private final WebClientGatewayClient door = new WebClientGatewayClient(WebClient.create());

	@ParameterizedTest
	@CsvSource({ "host:1, host:1", "host:chat-service:8080, host:chat-service:8080", "[::1]:80, %5B::1%5D:80",
			"a/b, a%2Fb", "a%2Fb, a%252Fb", "me@host, me@host" })
	void theInstanceIsNamedInThePathAndProvesItself(String instanceId, String segment) {
		gateway.stubFor(any(anyUrl()).willReturn(known(noContent())));
		WarmupClaim claim = claim(instanceId);
		assertThat(await(this.door.knock(gateway(""), claim))).isInstanceOf(RegistrationCheck.Known.class);
		assertThat(await(this.door.leave(gateway(""), claim))).isTrue();
		for (RequestMethod method : List.of(RequestMethod.GET, RequestMethod.DELETE)) {
			gateway.verify(1, requestedFor(method.getName(), urlEqualTo("/.warmup/instances/" + segment))
				.withHeader(WarmupClaim.HEADER, equalTo(claim.format())));
		}
	}

	@Test
	void aGatewaysPathIsKept() {
		gateway.stubFor(any(anyUrl()).willReturn(known(noContent())));
		for (String path : List.of("/base", "/base/", "/")) {
			assertThat(await(this.door.knock(gateway(path), claim("a")))).isInstanceOf(RegistrationCheck.Known.class);
		}
		gateway.verify(2, requestedFor("GET", urlEqualTo("/base/.warmup/instances/a")));
		gateway.verify(1, requestedFor("GET", urlEqualTo("/.warmup/instances/a")));
	}

	@ParameterizedTest
	@CsvSource({ "404, gateway gw-1 does not know host:1 yet", "403, gateway gw-1 does not know host:1 yet",
			"503, gateway gw-1 cannot look host:1 up now: 503", "400, gateway gw-1 cannot look host:1 up now: 400" })
	void aGatewayThatDoesNotLetTheInstanceInYetIsAnObstacle(int status, String obstacle) {
		assertThat(knock(known(aResponse().withStatus(status)))).isEqualTo(new RegistrationCheck.NotYet(obstacle));
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 204, 404, 503 })
	void anAnswerThatNamesNoGatewayIsNoDoor(int status) {
		assertThat(knock(aResponse().withStatus(status))).isEqualTo(new RegistrationCheck.NoDoor());
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aBrokenConnectionIsAnObstacle(Fault fault) {
		assertThat(knock(aResponse().withFault(fault))).isInstanceOfSatisfying(RegistrationCheck.NotYet.class,
				(notYet) -> assertThat(notYet.obstacle()).startsWith("gateway gw-1 cannot be reached: "));
	}

	@Test
	void aGatewayThatHangsIsAnObstacleAfterFiveSeconds() {
		WebClient hanging = WebClient.builder().exchangeFunction((request) -> Mono.never()).build();
		StepVerifier
			.withVirtualTime(() -> new WebClientGatewayClient(hanging)
				.knock(new Gateway("gw-1", URI.create("http://gateway.invalid")), claim("host:1")))
			.thenAwait(Duration.ofSeconds(5))
			.expectNext(new RegistrationCheck.NotYet("gateway gw-1 cannot be reached: no answer within 5 s"))
			.expectComplete()
			.verify(PATIENCE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 403, 404, 503 })
	void onlyNoContentOfAGatewayMeansThatItTookTheLeave(int status) {
		gateway.stubFor(any(anyUrl()).willReturn(known(aResponse().withStatus(status))));
		assertThat(await(this.door.leave(gateway(""), claim("host:1")))).isFalse();
		gateway.stubFor(any(anyUrl()).willReturn(noContent()));
		assertThat(await(this.door.leave(gateway(""), claim("host:1")))).isFalse();
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aGatewayThatIsGoneIsLeftWithoutNoise(Fault fault) {
		gateway.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));
		try (CapturedLog log = CapturedLog.of(WebClientGatewayClient.class)) {
			assertThat(await(this.door.leave(gateway(""), claim("host:1")))).isFalse();
			assertThat(log.lines()).isEmpty();
		}
	}

	private RegistrationCheck knock(ResponseDefinitionBuilder answer) {
		gateway.stubFor(any(anyUrl()).willReturn(answer));
		return await(this.door.knock(gateway(""), claim("host:1")));
	}

	private static ResponseDefinitionBuilder known(ResponseDefinitionBuilder answer) {
		return answer.withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1");
	}

	private static Gateway gateway(String path) {
		return new Gateway("gw-1", URI.create(gateway.baseUrl() + path));
	}

	private static WarmupClaim claim(String instanceId) {
		return new WarmupClaim(instanceId, Optional.of("token-of-the-tests"), "r-1");
	}

	private static <T> T await(Mono<T> answer) {
		List<T> result = new ArrayList<>();
		StepVerifier.create(answer).consumeNextWith(result::add).expectComplete().verify(PATIENCE);
		return result.get(0);
	}

}
