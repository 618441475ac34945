package dev.warmup.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import tools.jackson.databind.json.JsonMapper;

/**
 * An application without the library, registered in Eureka as UP, that answers whatever
 * it is asked by an empty list, and keeps what it received.
 */
final class Recorder implements AutoCloseable {

	private static final byte[] BODY = "[]".getBytes(StandardCharsets.UTF_8);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Queue<Received> received = new ConcurrentLinkedQueue<>();

	private final HttpServer server;

	Recorder(Stack stack, String service) throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", (exchange) -> {
			String path = exchange.getRequestURI().getPath();
			this.received.add(new Received(path, exchange.getRequestHeaders()));
			boolean library = path.startsWith("/.warmup");
			exchange.sendResponseHeaders(library ? 404 : 200, library ? -1 : BODY.length);
			if (!library) {
				exchange.getResponseBody().write(BODY);
			}
			exchange.close();
		});
		this.server.start();
		Map<String, Object> instance = Map.of("instanceId", service + "-1", "hostName", "127.0.0.1", "ipAddr",
				"127.0.0.1", "app", service.toUpperCase(Locale.ROOT), "vipAddress", service, "status", "UP", "port",
				Map.of("$", this.server.getAddress().getPort(), "@enabled", "true"), "dataCenterInfo",
				Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"),
				"leaseInfo", Map.of("durationInSecs", 600));
		Answer answer = stack.registry()
			.post("/eureka/apps/" + service.toUpperCase(Locale.ROOT),
					JsonMapper.shared().writeValueAsString(Map.of("instance", instance)));
		if (answer.status() != 204) {
			throw new IllegalStateException("not registered: " + answer);
		}
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	List<Received> received() {
		return List.copyOf(this.received);
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/** A request. */
	record Received(String path, Headers headers) {

	}

}
