package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.RunningApplication;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.protocol.RunReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway that believes one instance only, and can judge all but one. */
class RefusingGatewayTests {

	private static final WireMockServer SERVICE = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		SERVICE.start();
		SERVICE.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		gateway = RunningApplication.gateway(Gateway.class, RunningApplication.EAGER + "chat",
				"spring.cloud.discovery.client.simple.instances.chat[0].uri=" + SERVICE.baseUrl(),
				"spring.cloud.discovery.client.simple.instances.chat[0].instance-id=honest",
				"spring.cloud.gateway.server.webflux.routes[0].id=chat",
				"spring.cloud.gateway.server.webflux.routes[0].uri=lb://chat",
				"spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/**");
	}

	@AfterAll
	static void stop() {
		gateway.close();
		SERVICE.stop();
	}

	@Test
	void refusedClaimIsStrippedCountedAndServedAsAUsers() {
		long rejected = gateway.count("warmup.claims", "outcome:rejected");
		assertThat(gateway.get("/refused", "X-Warmup", "instance=forger; run=run-1").body()).isEqualTo("fine");
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/refused")).withoutHeader("X-Warmup"));
		assertThat(gateway.count("warmup.claims", "outcome:rejected")).isEqualTo(rejected + 1);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(FleetEntry::instanceId).doesNotContain("forger");
	}

	@Test
	void secondClaimIsStrippedWithTheFirst() {
		gateway.get("/twice", "X-Warmup", "instance=forger; run=run-1", "X-Warmup", "instance=honest; run=run-1");
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/twice")).withoutHeader("X-Warmup"));
	}

	@Test
	void claimThatIsNotTheOnlyOneIsNotBelieved() {
		gateway.get("/both", "X-Warmup", "instance=honest; run=run-1", "X-Warmup", "instance=forger; run=run-1");
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/both")).withoutHeader("X-Warmup"));
	}

	@Test
	void refusedReportIsForbidden() {
		assertThat(report("forger")).isEqualTo(403);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(FleetEntry::instanceId).doesNotContain("forger");
	}

	@Test
	void believedReportIsTaken() {
		assertThat(report("honest")).isEqualTo(204);
	}

	@Test
	void claimThatNobodyCanJudgeIsAnsweredByComeAgain() {
		long unavailable = gateway.count("warmup.claims", "outcome:unavailable");
		HttpResponse<String> answer = gateway.get("/unjudged", "X-Warmup", "instance=unjudged; run=run-1");
		assertThat(answer.statusCode()).isEqualTo(503);
		assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
		SERVICE.verify(0, WireMock.getRequestedFor(WireMock.urlEqualTo("/unjudged")));
		assertThat(gateway.count("warmup.claims", "outcome:unavailable")).isEqualTo(unavailable + 1);
	}

	@Test
	void doorAnswersComeAgainWhereNobodyCanJudge() {
		assertThat(report("unjudged")).isEqualTo(503);
		for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
			HttpResponse<String> answer = gateway.send(method, "/.warmup/instances/unjudged", "", "X-Warmup",
					"instance=unjudged; run=run-1");
			assertThat(answer.statusCode()).isEqualTo(503);
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
		}
	}

	private static int report(String instanceId) {
		return gateway
			.send(HttpMethod.PUT, RunReport.PATH + "run-1", Reports.json(Reports.warm("chat", instanceId, "run-1")),
					"X-Warmup", "instance=" + instanceId + "; run=run-1")
			.statusCode();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		@Bean
		ClaimVerifier onlyTheHonest() {
			return (claim) -> Mono.just(switch (claim.instanceId()) {
				case "honest" -> new Verification.Verified(Optional.empty());
				case "unjudged" -> new Verification.Unavailable();
				default -> new Verification.Rejected();
			});
		}

	}

}
