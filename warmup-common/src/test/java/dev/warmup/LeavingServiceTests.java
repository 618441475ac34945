package dev.warmup;

import java.time.Duration;

import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.protocol.WarmupClaim;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static com.github.tomakehurst.wiremock.client.WireMock.delete;
import static com.github.tomakehurst.wiremock.client.WireMock.deleteRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

/** A service that stops says so to its gateway first. */
class LeavingServiceTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	@Test
	void theGatewayIsToldOnceWithTheServicesClaim() {
		gateway.stubFor(delete(urlPathMatching("/.warmup/instances/.*"))
			.willReturn(noContent().withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1")));
		RunningApplication service = start(gateway.baseUrl());
		try (CapturedLog log = CapturedLog.of("ROOT")) {
			service.close();
			gateway.verify(1, deleteRequestedFor(WireMock.anyUrl()).withHeader(WarmupClaim.HEADER,
					matching("instance=[^;]+; run=[\\w-]+; jwt=[\\w.-]+")));
			assertThat(log.lines()).contains("INFO Deregistered; gateways that send no more users: 1")
				.noneMatch((line) -> line.startsWith("ERROR"));
		}
	}

	@Test
	void aGatewayThatIsGoneIsNoError() {
		RunningApplication service = start("http://localhost:1");
		try (CapturedLog log = CapturedLog.of("ROOT")) {
			service.close();
			assertThat(log.lines()).isNotEmpty().noneMatch((line) -> line.matches("(WARN|ERROR) .*"));
		}
	}

	/** It has no catalog, so its gate opens at once. */
	private static RunningApplication start(String gatewayUrl) {
		RunningApplication service = RunningApplication.service(PlainService.class, WebApplicationType.REACTIVE,
				"spring.application.name=chat-service", "warmup.gateway.url=" + gatewayUrl,
				"spring.reactor.netty.shutdown-quiet-period=1s");
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> service.get("/.warmup/ready").statusCode() == 200);
		return service;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class PlainService {

	}

}
