package dev.warmup.bench.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(120)
class AppTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final String SERVER = """
			import com.sun.net.httpserver.HttpServer;
			import java.net.InetSocketAddress;

			class Server {

				public static void main(String[] args) throws Exception {
					System.out.println("arguments " + String.join(" ", args) + " by " + System.getenv("WHO"));
					int port = Integer.parseInt(args[0].replaceAll("[^0-9]", ""));
					HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
					server.createContext("/", (exchange) -> {
						exchange.sendResponseHeaders(200, -1);
						exchange.close();
					});
					server.start();
					Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shut down")));
				}

			}
			""";

	@TempDir
	private Path directory;

	private App app;

	@BeforeEach
	void start() throws IOException {
		Path server = Files.writeString(this.directory.resolve("Server.java"), SERVER);
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.app = new App("server", App.freePort(), this.directory,
				List.of("env", "WHO=tests", java, "-XX:TieredStopAtLevel=1", server.toString()),
				List.of("--color=red"));
	}

	@AfterEach
	void stop() {
		this.app.kill();
	}

	@Test
	void anApplicationIsStartedWithItsArgumentsAndShutDownInOrder() {
		this.app.awaitReady(LIMIT);
		assertThat(this.app.awaitLog("^arguments (.*)$", LIMIT).group(1)).isEqualTo(
				"--server.port=%d --server.address=127.0.0.1 --management.server.port=%d --management.server.address=127.0.0.1 --color=red by tests"
					.formatted(this.app.port(), this.app.managementPort()));
		assertThat(this.app.cpu()).isPositive();
		assertThat(this.app.stop()).isTrue();
		assertThat(this.app.isAlive()).isFalse();
		assertThat(this.app.logText()).contains("shut down");
		assertThat(this.app.get("/").status()).isZero();
		assertThatIllegalStateException().isThrownBy(() -> this.app.awaitLog("never logged", LIMIT))
			.withMessageContaining("server ended while waiting for the log line never logged")
			.withMessageContaining("shut down");
	}

	@Test
	void aRestartKeepsThePortAndReplacesAnArgumentAndAPausedApplicationDoesNotEndUntilItIsResumed() {
		this.app.awaitUp(LIMIT).kill();
		assertThat(this.app.logText()).doesNotContain("shut down");
		this.app.restart("--color=blue");
		this.app.awaitUp(LIMIT).pause();
		assertThat(this.app.logText())
			.containsPattern("--color=red by(?s:.*)--management.server.address=127.0.0.1 --color=blue by");
		ProcessHandle.of(this.app.pid()).orElseThrow().destroy();
		assertThat(this.app.isAlive()).isTrue();
		this.app.resume();
		assertThat(this.app.stop()).isTrue();
	}

}
