package dev.warmup.docker.image;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What makes a container healthy. */
@DisabledOnOs(OS.WINDOWS)
class HealthTests {

	@ParameterizedTest
	@CsvSource({ "200, true", "503, false", "404, false", "302, false" })
	void isWhatReadinessAnswers(int status, boolean healthy) throws Exception {
		HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		service.createContext("/", (exchange) -> {
			boolean asked = exchange.getRequestURI().getPath().equals("/actuator/health/readiness");
			exchange.sendResponseHeaders(asked ? status : 500, -1);
			exchange.close();
		});
		service.start();
		try {
			assertThat(isHealthy(service.getAddress().getPort())).isEqualTo(healthy);
		}
		finally {
			service.stop(0);
		}
	}

	@Test
	void isNotWhatDoesNotListen() throws Exception {
		assertThat(isHealthy(unused())).isFalse();
	}

	private static int unused() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static boolean isHealthy(int port) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder("bash", "healthy");
		builder.environment().put("SERVER_PORT", Integer.toString(port));
		Process process = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return process.exitValue() == 0;
	}

}
