package dev.warmup.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A server that answers everything with 200 and what a {@link Journey} captures. */
final class Stub implements AutoCloseable {

	private static final byte[] BODY = "{\"id\": 1, \"next\": 1}".getBytes(StandardCharsets.UTF_8);

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	Stub() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", Stub::answer);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	private static void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			exchange.getRequestBody().readAllBytes();
			exchange.sendResponseHeaders(200, BODY.length);
			exchange.getResponseBody().write(BODY);
		}
	}

	String base() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
