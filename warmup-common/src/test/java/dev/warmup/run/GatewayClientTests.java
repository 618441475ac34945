package dev.warmup.run;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.Token;
import dev.warmup.registry.Announcer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.netty.http.client.HttpClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Over real HTTP. */
class GatewayClientTests extends RunFixture {

	@Test
	void newsAnnouncesThisInstanceWhereGatewaysHaveNoRegistry() {
		Token.Secret secret = Token.Secret.generate();
		this.announcer = Optional.of(new Announcer(secret, () -> FakeGateway.SELF, Optional.empty(),
				(address) -> URI.create("http://" + address.getHostAddress() + ":8080"), Clock.systemUTC()));
		assertThat(news().gatewayId()).hasValue("gw-1");
		assertThat(this.gateway.announcements).singleElement().satisfies((announced) -> {
			String[] parts = announced.split(" ", 3);
			assertThat(parts[0]).isEqualTo("POST");
			assertThat(parts[2]).isEqualTo("{\"service\":\"chat-service\",\"address\":\"http://127.0.0.1:8080\"}");
			assertThat(Announcement.isSigned(secret, "host:8080", parts[2].getBytes(StandardCharsets.UTF_8), parts[1],
					Clock.systemUTC().instant()))
				.isTrue();
		});
	}

	@Test
	void whereGatewaysHaveARegistryNewsHasNoContent() {
		assertThat(news().gatewayId()).hasValue("gw-1");
		assertThat(this.gateway.announcements).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "502, '', true, gateway gw-1 cannot reach 10.0.3.7:8080", "502, 1, false, gateway gw-1 cannot reach",
			"403, '', true, gateway gw-1 refuses this instance: cannot reach", "404, 1, false, does not know",
			"503, 1, false, answered news with 503" })
	void waitingDoesNotHelpWhereAGatewaySaysSo(int status, String retryAfter, boolean lasting, String problem) {
		this.gateway.onNews = () -> {
			FakeGateway.Answer answer = this.gateway.gatewaysOwn(status)
				.withBody("cannot reach 10.0.3.7:8080".getBytes(StandardCharsets.UTF_8));
			return retryAfter.isEmpty() ? answer : answer.with("Retry-After", retryAfter);
		};
		GatewayClient.NewsAnswer answer = news();
		assertThat(answer.gatewayId()).isEmpty();
		assertThat(answer.lasting()).isEqualTo(lasting);
		assertThat(answer.problem()).contains(problem);
	}

	private GatewayClient.NewsAnswer news() {
		return parts().client().news(this.gateway.gateway(), "host:8080").blockOptional(TIMEOUT).orElseThrow();
	}

	@Test
	void aBasePathIsSentAsTheRegistryHasIt() {
		GatewayClient client = new GatewayClient(HttpClient.create(), List.of(), Optional.empty(), this.clock,
				this.scheduler);
		URI base = this.gateway.gateway().uri().resolve("/%C3%A4");
		assertThat(client.state(base, "host:8080").blockOptional(TIMEOUT)).isEmpty(); // no
																						// state
		assertThat(this.gateway.requests).containsExactly("GET /%C3%A4/.warmup/state?gateway=host%3A8080");
	}

}
