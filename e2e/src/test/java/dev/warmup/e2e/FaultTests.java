package dev.warmup.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What closing a fault asserts about users of a server that fails some time. */
@Tag("full")
class FaultTests {

	private final AtomicBoolean failing = new AtomicBoolean();

	private final AtomicBoolean holding = new AtomicBoolean();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpServer server;

	private Stack stack;

	@BeforeEach
	void start(@TempDir Path directory) throws IOException {
		this.stack = Stack.in(directory, directory).registries(0).gateways(0).services(0).start();
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", (exchange) -> {
			boolean fails = this.failing.get();
			while (this.holding.get()) {
				App.sleep(Duration.ofMillis(10));
			}
			exchange.sendResponseHeaders(fails ? 500 : 200, -1);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
		this.threads.shutdownNow();
		this.stack.close();
	}

	@Test
	void requestUnderWayThatFailsLaterFailsTheTest() {
		Fault fault = fault();
		this.holding.set(true);
		this.failing.set(true);
		App.sleep(Duration.ofSeconds(1));
		this.failing.set(false);
		fault.noErrors();
		this.holding.set(false);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(fault::close);
	}

	@Test
	void requestThatFailsAfterThePeriodOfErrorsFailsTheTest() {
		Fault fault = fault().begins();
		fault.errorsFor(Duration.ZERO);
		this.failing.set(true);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(fault::close);
	}

	private Fault fault() {
		String url = "http://127.0.0.1:%d/".formatted(this.server.getAddress().getPort());
		return new Fault("a fault", this.stack, url, HttpResponse::body);
	}

}
