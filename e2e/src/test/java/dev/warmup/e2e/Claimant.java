package dev.warmup.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import tools.jackson.databind.json.JsonMapper;

/**
 * An instance of a service that is not there: registered in Eureka with a key, as
 * STARTING, at a server of this JVM that keeps the headers of each request. It can send
 * claims of its own through a gateway.
 */
final class Claimant implements AutoCloseable {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Queue<Headers> received = new ConcurrentLinkedQueue<>();

	private final Stack stack;

	private final String service;

	private final String id;

	private final HttpServer server;

	private final int port;

	private volatile WarmupKey key = WarmupKey.generate(Clock.systemUTC());

	private Claimant(Stack stack, String service, String id) {
		this.stack = stack;
		this.service = service;
		this.id = id;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.port = this.server.getAddress().getPort();
		this.server.createContext("/", this::answer);
		this.server.createContext("/endless", this::stream);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	/** Registers it. */
	static Claimant register(Stack stack, String service, String id) {
		Claimant claimant = new Claimant(stack, service, id);
		claimant.register();
		return claimant;
	}

	private void register() {
		Map<String, Object> instance = Map.of("instanceId", this.id, "hostName", "127.0.0.1", "ipAddr", "127.0.0.1",
				"app", this.service.toUpperCase(), "vipAddress", this.service, "status", "STARTING", "port",
				Map.of("$", this.port, "@enabled", "true"), "dataCenterInfo",
				Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"),
				"leaseInfo", Map.of("durationInSecs", 600), "metadata",
				Map.of(WarmupKey.METADATA_KEY, this.key.jwk().orElseThrow()));
		Answer answer = this.stack.registry()
			.post("/eureka/apps/" + this.service.toUpperCase(),
					JsonMapper.shared().writeValueAsString(Map.of("instance", instance)));
		if (answer.status() != 204) {
			throw new IllegalStateException("not registered: " + answer);
		}
	}

	/** Registers it with another key, as a process does that was started again. */
	void restart() {
		this.key = WarmupKey.generate(Clock.systemUTC());
		register();
	}

	private void answer(HttpExchange exchange) throws IOException {
		this.received.add(exchange.getRequestHeaders());
		byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().add("X-Warmup-Instance", this.id);
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	private void stream(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
		exchange.sendResponseHeaders(200, 0);
		try (OutputStream body = exchange.getResponseBody()) {
			while (!this.threads.isShutdown()) {
				body.write(":\n\n".getBytes(StandardCharsets.UTF_8));
				body.flush();
				App.sleep(Duration.ofMillis(500));
			}
		}
	}

	/** A claim of this instance, good for two minutes. */
	String claim(App gateway) {
		return this.key.claim(this.id, "127.0.0.1:" + gateway.port(), SignedClaim.Scope.REPLAY, "run").format();
	}

	/** Asks a gateway, as a run does first, until it knows this instance. */
	Claimant awaitKnown(App gateway) {
		gateway.await("its knowledge of " + this.id, Stacks.SOON,
				() -> Answer
					.send(HttpRequest.newBuilder(URI.create(gateway.url("/.warmup/instances/" + this.id)))
						.header("X-Warmup", claim(gateway)))
					.status() == 204);
		return this;
	}

	/** Requests a path of this service through a gateway, by a claim. */
	Answer send(App gateway, String path, String claim) {
		return Answer
			.send(HttpRequest.newBuilder(URI.create(gateway.url("/" + this.service + path))).header("X-Warmup", claim));
	}

	/** The headers of all requests that came here. */
	List<Headers> received() {
		return List.copyOf(this.received);
	}

	String url() {
		return "http://127.0.0.1:" + this.port;
	}

	@Override
	public void close() {
		Answer.to("DELETE", this.stack.registry().url("/eureka/apps/" + this.service.toUpperCase() + "/" + this.id));
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
