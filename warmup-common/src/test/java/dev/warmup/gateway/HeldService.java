package dev.warmup.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A service that answers {@code /fast} at once, {@code /held} when it is released, and
 * {@code /stream} in two parts, the second when it is released.
 */
final class HeldService implements AutoCloseable {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	private volatile CountDownLatch released = new CountDownLatch(1);

	HeldService() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	String address() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/** Releases all requests that are held now, and holds later ones. */
	void release() {
		CountDownLatch before = this.released;
		this.released = new CountDownLatch(1);
		before.countDown();
	}

	private void handle(HttpExchange exchange) throws IOException {
		CountDownLatch mine = this.released;
		switch (exchange.getRequestURI().getPath()) {
			case "/fast" -> answer(exchange, 200);
			case "/held" -> {
				await(mine);
				answer(exchange, 200);
			}
			case "/stream" -> {
				exchange.sendResponseHeaders(200, 0);
				try (OutputStream body = exchange.getResponseBody()) {
					body.write('1');
					body.flush();
					await(mine);
					body.write('2');
				}
			}
			default -> answer(exchange, 404);
		}
	}

	private static void answer(HttpExchange exchange, int status) throws IOException {
		exchange.sendResponseHeaders(status, -1);
		exchange.close();
	}

	private static void await(CountDownLatch latch) throws IOException {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	@Override
	public void close() {
		this.released.countDown();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
