package dev.warmup;

import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

/** How long a real service waits for its first run, and what it does before it stops. */
class LifecycleTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	@Test
	void gateOpensAtTheDeadlineOfTheSettings() {
		try (RunningApplication service = RunningApplication.waiting(RunningApplication.Plain.class,
				WebApplicationType.REACTIVE, "warmup.startup.deadline=1s")) {
			service.awaitReady();
		}
	}

	@Test
	void itDeregistersOnceWithTheServicesClaim() {
		gateway.stubFor(WireMock.delete(WireMock.urlPathMatching("/.warmup/instances/.*"))
			.willReturn(WireMock.noContent().withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1")));
		RunningApplication service = service();
		try (CapturedLog log = CapturedLog.of("ROOT")) {
			try (service) {
				service.awaitReady();
			}
			assertThat(log.lines()).contains("INFO Deregistered; gateways that send no more users here: 1")
				.noneMatch((line) -> line.startsWith("ERROR"));
		}
		gateway.verify(1, WireMock.deleteRequestedFor(WireMock.anyUrl())
			.withHeader(WarmupClaim.HEADER, WireMock.matching("instance=[^;]+; run=[\\w-]+; jwt=[\\w.-]+")));
	}

	@Test
	void itDoesNotDeregisterWhenItsContextIsPausedSinceItsServerGoesOn() {
		try (RunningApplication service = service()) {
			service.awaitReady();
			service.pause();
			service.awaitReady();
			gateway.verify(0, WireMock.deleteRequestedFor(WireMock.anyUrl()));
		}
	}

	/** It has no catalog, so its gate opens at once. */
	private static RunningApplication service() {
		return RunningApplication.service(RunningApplication.Plain.class, WebApplicationType.REACTIVE,
				"spring.application.name=chat-service", "warmup.gateway.url=" + gateway.baseUrl(),
				"spring.reactor.netty.shutdown-quiet-period=1s");
	}

}
