package dev.warmup.example.chat.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import dev.warmup.example.chat.ChatServiceApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The registry accepts connections, but never answers. */
@Tag("full")
class SilentRegistryTests {

	private static final String ALONE = "alone";

	@Test
	@Timeout(150) // less than the client's default limit of 180 s for one request
	void delaysNeitherStartupNorShutdown() throws IOException {
		try (ServerSocket registry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			ConfigurableApplicationContext service = start(registry.getLocalPort());
			assertThat(service.isRunning()).isTrue();
			service.close();
			assertThat(service.isActive()).isFalse();
		}
	}

	private static ConfigurableApplicationContext start(int registryPort) {
		return new SpringApplicationBuilder(ChatServiceApplication.class).run("--server.port=0",
				"--management.server.port=0", "--EUREKA_URL=http://127.0.0.1:%d/eureka/".formatted(registryPort),
				"--spring.r2dbc.url=r2dbc:h2:mem:///%s?options=DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
					.formatted(ALONE),
				"--spring.flyway.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
					.formatted(ALONE));
	}

}
