package dev.warmup.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.sun.net.httpserver.HttpServer;

/**
 * What a user of the chat requests: each endpoint the service's warm-up catalog names, in
 * its order and by its names. A user creates what the journey needs and removes it again.
 */
public final class Journey {

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private static final Pattern PLACEHOLDER = Pattern.compile("#\\{(\\w+)}");

	private static final String SIGN_UP = "{\"email\": \"#{email}\", \"name\": \"User\"}";

	private static final String ROOM = "{\"name\": \"Room of #{user}\"}";

	private static final String MESSAGE = "{\"userId\": #{user}, \"text\": \"Good morning\"}";

	/** The requests in their order. */
	public static final List<Request> REQUESTS = List.of(
			new Request("sign-up", "POST", "/users", SIGN_UP, 201, Map.of("user", "$.id")),
			new Request("find-user", "GET", "/users/#{user}", "", 200, Map.of()),
			new Request("sign-up-twice", "POST", "/users", SIGN_UP, 409, Map.of()),
			new Request("withdraw", "DELETE", "/users/#{user}", "", 204, Map.of()),
			new Request("list-rooms", "GET", "/rooms", "", 200, Map.of()),
			new Request("create-room", "POST", "/rooms", ROOM, 201, Map.of("room", "$.id")),
			new Request("find-room", "GET", "/rooms/#{room}", "", 200, Map.of()),
			new Request("close-room", "DELETE", "/rooms/#{room}", "", 204, Map.of()),
			new Request("author-signs-up", "POST", "/users", SIGN_UP, 201, Map.of("user", "$.id")),
			new Request("open-room", "POST", "/rooms", ROOM, 201, Map.of("room", "$.id")),
			new Request("join", "PUT", "/rooms/#{room}/members/#{user}", "", 204, Map.of()),
			new Request("post-message", "POST", "/rooms/#{room}/messages", MESSAGE, 201, Map.of()),
			new Request("post-another", "POST", "/rooms/#{room}/messages", MESSAGE, 201, Map.of()),
			new Request("newest-messages", "GET", "/rooms/#{room}/messages?limit=1", "", 200,
					Map.of("before", "$.next")),
			new Request("older-messages", "GET", "/rooms/#{room}/messages?before=#{before}&limit=1", "", 200, Map.of()),
			new Request("follow", "GET", "/rooms/#{room}/messages/stream?limit=2", "", 200, Map.of()),
			new Request("leave", "DELETE", "/rooms/#{room}/members/#{user}", "", 204, Map.of()),
			new Request("close-talk", "DELETE", "/rooms/#{room}", "", 204, Map.of()),
			new Request("author-withdraws", "DELETE", "/users/#{user}", "", 204, Map.of()),
			new Request("invalid-sign-up", "POST", "/users", "{\"email\": \"not-an-address\", \"name\": \"\"}", 400,
					Map.of()),
			new Request("invalid-limit", "GET", "/rooms?limit=0", "", 400, Map.of()),
			new Request("unknown-user", "GET", "/users/0", "", 404, Map.of()));

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	/**
	 * Lets one user make the journey once, one request after the other, on a kept-alive
	 * connection. A request whose values are missing, because an earlier one failed, is
	 * skipped. Blocks. Thread-safe: each thread that walks has its own connection.
	 * @param base such as the gateway's {@code http://127.0.0.1:8000/chat-service}
	 * @param log receives each answer at once
	 */
	public void walk(String base, Consumer<Sample> log) {
		Map<String, String> values = new HashMap<>(Map.of("email", UUID.randomUUID() + "@users.invalid"));
		for (Request request : REQUESTS) {
			if (request.name().endsWith("signs-up")) {
				values.put("email", UUID.randomUUID() + "@users.invalid");
			}
			if (request.placeholders().allMatch(values::containsKey)) {
				send(request, base, values, log);
			}
		}
	}

	/**
	 * Lets users come all at once, each on a connection of its own, and make the journey
	 * again and again, with the next request after the answer to the last (a closed
	 * model). Blocks until the last of them has ended a journey.
	 * @param duration how long they start journeys
	 * @return their requests in the order of the answers
	 */
	public List<Sample> crowd(String base, int users, Duration duration) {
		Queue<Sample> samples = new ConcurrentLinkedQueue<>();
		long end = System.nanoTime() + duration.toNanos();
		ExecutorService threads = Executors.newFixedThreadPool(users);
		CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> {
			do {
				walk(base, samples::add);
			}
			while (System.nanoTime() < end);
		}, threads)).limit(users).toArray(CompletableFuture<?>[]::new))
			.whenComplete((all, error) -> threads.shutdown())
			.join();
		return List.copyOf(samples);
	}

	private void send(Request request, String base, Map<String, String> values, Consumer<Sample> log) {
		HttpRequest ready = request.to(base, values);
		Instant start = Instant.now();
		long begin = System.nanoTime();
		try {
			HttpResponse<String> answer = this.http.send(ready, HttpResponse.BodyHandlers.ofString());
			log.accept(new Sample(request.name(), start, Duration.ofNanos(System.nanoTime() - begin),
					answer.statusCode(), answer.statusCode() == request.status(), ""));
			request.captures().forEach((name, path) -> capture(answer.body(), path, name, values));
		}
		catch (IOException ex) {
			log.accept(new Sample(request.name(), start, Duration.ofNanos(System.nanoTime() - begin), 0, false,
					ex.toString()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static void capture(String body, String path, String name, Map<String, String> values) {
		try {
			values.put(name, String.valueOf(JsonPath.<Object>read(body, path)));
		}
		catch (JsonPathException | IllegalArgumentException ex) {
			values.remove(name); // an error's body: what needs the value is skipped
		}
	}

	/**
	 * Makes the client warm without touching the system under test: walks 50 times
	 * through a stub in this process. What a client pays for its own first requests is
	 * not the system's to answer for. Blocks for about a second.
	 * @return this journey, without a connection to the system
	 * @throws IOException when the stub cannot be started
	 */
	public Journey practiced() throws IOException {
		practice(50, (sample) -> {
		});
		return this;
	}

	/** Walks through a stub, which answers everything with 200 and what is captured. */
	void practice(int times, Consumer<Sample> log) throws IOException {
		HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		stub.createContext("/", (exchange) -> {
			try (exchange) {
				byte[] body = "{\"id\": 1, \"next\": 1}".getBytes(StandardCharsets.UTF_8);
				exchange.getRequestBody().readAllBytes();
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
			}
		});
		stub.start();
		try {
			for (int i = 0; i < times; i++) {
				walk("http://127.0.0.1:" + stub.getAddress().getPort(), log);
			}
		}
		finally {
			stub.stop(0);
		}
	}

	/**
	 * One request of the journey; {@code #{name}} marks a value captured before.
	 *
	 * @param name the kind of request
	 * @param path the path at the service, with its query
	 * @param body the JSON body, or empty
	 * @param status the expected status
	 * @param captures the values that later requests need: JSONPath by name
	 */
	public record Request(String name, String method, String path, String body, int status,
			Map<String, String> captures) {

		Stream<String> placeholders() {
			return PLACEHOLDER.matcher(this.path + this.body).results().map((match) -> match.group(1));
		}

		/** The media type the user asks for. */
		public String accept() {
			return this.path.contains("/stream") ? "text/event-stream" : "application/json";
		}

		HttpRequest to(String base, Map<String, String> values) {
			return HttpRequest.newBuilder(URI.create(base + render(this.path, values)))
				.timeout(TIMEOUT)
				.headers("Accept", accept(), "Content-Type", "application/json")
				.method(this.method,
						this.body.isEmpty() ? HttpRequest.BodyPublishers.noBody()
								: HttpRequest.BodyPublishers.ofString(render(this.body, values)))
				.build();
		}

		private static String render(String template, Map<String, String> values) {
			return PLACEHOLDER.matcher(template)
				.replaceAll((match) -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), "")));
		}

	}

}
