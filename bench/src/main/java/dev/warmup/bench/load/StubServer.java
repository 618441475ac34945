package dev.warmup.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Answers at once, as the chat-service would, what its catalog asks for, so that the
 * journey can be walked through without a stack. Keeps nothing.
 */
public final class StubServer implements AutoCloseable {

	static {
		// else each answer with a body waits 40 ms for the client's delayed ACK
		System.setProperty("sun.net.httpserver.nodelay", "true");
	}

	/** Where each answer closes its connection, so that the next request opens one. */
	static final String CLOSING = "/closing";

	private static final int CHUNKED = 0;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "stub");
		thread.setDaemon(true);
		return thread;
	});

	private StubServer(HttpServer server) {
		this.server = server;
		server.setExecutor(this.threads);
		server.createContext("/", StubServer::answer);
		server.createContext(CLOSING, StubServer::answerAndClose);
	}

	/**
	 * Starts at a free port of the loopback address.
	 * @return the running server
	 */
	public static StubServer start() {
		try {
			StubServer stub = new StubServer(
					HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
			stub.server.start();
			return stub;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where it listens.
	 * @return its address, without a slash at the end
	 */
	public URI base() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	private static void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			int status = status(exchange.getRequestMethod(), exchange.getRequestURI().toString(), asked);
			if (status == 204) {
				exchange.sendResponseHeaders(status, -1);
			}
			else {
				String path = exchange.getRequestURI().getPath();
				byte[] body = body(path).getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(status, isFlux(path) ? CHUNKED : body.length);
				exchange.getResponseBody().write(body);
			}
		}
	}

	private static void answerAndClose(HttpExchange exchange) throws IOException {
		try (exchange) {
			exchange.getResponseHeaders().set("Connection", "close");
			exchange.sendResponseHeaders(204, -1);
		}
	}

	/** What the service sends as it comes, without saying first how much. */
	private static boolean isFlux(String path) {
		return path.endsWith("/rooms") || path.endsWith("/stream");
	}

	private static int status(String method, String uri, String asked) {
		if (asked.contains("not-an-address") || uri.endsWith("limit=0")) {
			return 400;
		}
		if (uri.endsWith("/users/0")) {
			return 404;
		}
		return switch (method) {
			case "POST" -> asked.contains("Again") ? 409 : 201;
			case "PUT", "DELETE" -> 204;
			default -> 200;
		};
	}

	private static String body(String path) {
		String item = """
				{"id": 7, "email": "somebody@warmup.invalid", "name": "Somebody", "text": "Good morning"}""";
		if (path.endsWith("/stream")) {
			return "data: %1$s\n\ndata: %1$s\n\n".formatted(item);
		}
		return path.endsWith("/messages") ? """
				{"id": 7, "messages": [%s], "next": 7}""".formatted(item) : item;
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
