package dev.warmup.web;

import java.util.List;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway whose warm-up is off still protects the services behind it. */
class DisabledGatewayTests {

	@Test
	void claimsAreStrippedWithoutBeingVerifiedAndThePathsOfTheLibraryAreClosed() {
		WireMockServer service = RunningApplication.stub();
		service.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		try (RunningApplication gateway = new GatewayFixture().with("warmup.enabled=false")
			.route("all", service.baseUrl(), "/**")
			.start()) {
			for (String claim : List.of("instance=chat-1; run=r", Claims.replay("chat-1", "r"), "true", "")) {
				assertThat(gateway.get("/rooms", "x-WARMUP", claim, "X-Kept", "yes").body()).isEqualTo("fine");
			}
			for (String path : List.of("/chat/actuator/warmup", "/chat//actuator/%77armup", "/chat/.warmup/ready")) {
				assertThat(gateway.get(path).statusCode()).isEqualTo(404);
			}
		}
		service.verify(4, WireMock.anyRequestedFor(WireMock.anyUrl()));
		service.verify(4,
				WireMock.getRequestedFor(WireMock.urlEqualTo("/rooms"))
					.withHeader("X-Kept", WireMock.equalTo("yes"))
					.withoutHeader("X-Warmup"));
		service.stop();
	}

}
