package dev.warmup.web;

import java.util.List;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway whose warm-up is off still protects the services behind it from forged marks.
 */
class DisabledGatewayTests {

	@Test
	void claimsAreStrippedWithoutBeingVerified() {
		WireMockServer service = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		service.start();
		service.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		try (RunningApplication gateway = new GatewayFixture().with("warmup.enabled=false")
			.route("all", service.baseUrl(), "/**")
			.start()) {
			for (String claim : List.of("instance=chat-1; run=r", Claims.replay("chat-1", "r"), "true", "")) {
				assertThat(gateway.get("/rooms", "x-WARMUP", claim, "X-Kept", "yes").body()).isEqualTo("fine");
			}
		}
		service.verify(4,
				WireMock.getRequestedFor(WireMock.urlEqualTo("/rooms"))
					.withHeader("X-Kept", WireMock.equalTo("yes"))
					.withoutHeader("X-Warmup"));
		service.stop();
	}

}
