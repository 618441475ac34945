package dev.warmup.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Settings that are wrong or off, and what does not answer. */
@Tag("faults")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SettingsFaultsIT {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	private Path directory;

	@Test
	void hangingCatalogUrlHoldsNoThreads() throws IOException {
		String catalog = Files.readString(Stacks.ROOT.resolve("chat-service/src/main/resources/warmup-requests.yml"));
		AtomicBoolean hanging = new AtomicBoolean();
		ExecutorService threads = Executors.newCachedThreadPool();
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setExecutor(threads);
		server.createContext("/", (exchange) -> {
			while (hanging.get()) {
				App.sleep(Duration.ofMillis(100));
			}
			byte[] body = catalog.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		String url = "http://127.0.0.1:%d/warmup-requests.yml".formatted(server.getAddress().getPort());
		try (Stack stack = Stacks.warm(Stacks.counted("hanging-catalog", 2, "20s", "--warmup.catalog=" + url,
				"--warmup.idle.after=2s", "--warmup.idle.check-every=1s"))) {
			try (Fault fault = Fault.of("the catalog's URL hangs, run after run", stack)) {
				int before = Jvm.of(stack.service()).threads();
				hanging.set(true);
				fault.begins();
				for (int i = 0; i < 10; i++) {
					await().atMost(Stacks.SOON)
						.pollDelay(Duration.ofSeconds(2))
						.until(() -> stack.service().post(Stacks.WARMUP).status() == 202);
				}
				assertThat(Jvm.of(stack.service()).threads()).isLessThan(before + 10);
				hanging.set(false);
				Stacks.startRun(stack.service());
				fault.recovers(() -> "WARM".equals(stack.service().get(Stacks.WARMUP).<String>read("$.phase")));
				fault.verdict("each run FAILED with the reason; WARM again after");
				fault.noErrors();
			}
		}
		finally {
			hanging.set(false);
			server.stop(0);
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@CsvSource({ "expired, -startdate -10d -validity 1", "of an unknown authority, -validity 10" })
	@Tag("full")
	void certificateOfTheGatewayIsNotValid(String what, String validity)
			throws IOException, GeneralSecurityException, InterruptedException {
		HttpsServer server = server(validity.split(" "));
		try (Stack stack = Stacks
			.counted("certificate", 2, "5s", "--warmup.gateway.url=https://localhost:" + server.getAddress().getPort(),
					"--warmup.token=a secret of more than 32 bytes for this test")
			.start()) {
			stack.service().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(stack);
			try (Fault fault = Fault.of("the gateway's certificate is " + what, stack).begins()) {
				fault.recovers(() -> Stacks.verdicts(stack.service(), "STARTUP").contains("FAILED"));
				fault.verdictOf(stack.service());
				assertThat(stack.service().get(Stacks.WARMUP).<List<String>>read("$.runs[*].reason").get(0))
					.containsIgnoringCase("cert");
				assertThat(stack.service().logText()).doesNotContain("a secret of more than");
				fault.noErrors();
			}
		}
		finally {
			server.stop(0);
		}
	}

	private HttpsServer server(String... validity) throws IOException, GeneralSecurityException, InterruptedException {
		Path store = this.directory.resolve("store-" + String.join("", validity));
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keyalg",
						"EC", "-alias", "gateway", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-keystore",
						store.toString(), "-storepass", new String(PASSWORD)));
		command.addAll(List.of(validity));
		assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			keys.load(in, PASSWORD);
		}
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(keys, PASSWORD);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(factory.getKeyManagers(), null, null);
		HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setHttpsConfigurator(new HttpsConfigurator(context));
		server.start();
		return server;
	}

}
