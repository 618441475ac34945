package dev.warmup.run;

import java.net.URI;

import org.junit.jupiter.api.Test;
import reactor.netty.http.client.HttpClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Over real HTTP. */
class GatewayClientTests extends RunFixture {

	@Test
	void aBasePathIsSentAsTheRegistryHasIt() {
		GatewayClient client = new GatewayClient(HttpClient.create(), this.clock, this.scheduler);
		URI base = this.gateway.gateway().uri().resolve("/%C3%A4");
		assertThat(client.state(base, "host:8080").blockOptional(TIMEOUT)).isEmpty(); // no
																						// state
		assertThat(this.gateway.requests).containsExactly("GET /%C3%A4/.warmup/state?gateway=host%3A8080");
	}

}
