package dev.warmup.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.Answer;

/**
 * What a user of the chat requests: each endpoint the service's warm-up catalog names, in
 * its order and by its names. A user creates what the journey needs and removes it again.
 */
public final class Journey {

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

	private final HttpClient http = Answer.client();

	/**
	 * Lets one user make the journey once, one request after the other, on a keep-alive
	 * connection. A request whose values are missing, because an earlier one failed, is
	 * skipped. Thread-safe: each thread that walks has its own connection.
	 */
	public List<Sample> walk(String base) {
		List<Sample> samples = new ArrayList<>();
		Map<String, String> values = new HashMap<>();
		for (Request request : REQUESTS) {
			if (request.captures().containsKey("user")) {
				values.put("email", UUID.randomUUID() + "@users.invalid");
			}
			if (request.placeholders().allMatch(values::containsKey)) {
				samples.add(send(request, base, values));
			}
		}
		return samples;
	}

	private Sample send(Request request, String base, Map<String, String> values) {
		HttpRequest.Builder ready = request.to(base, values);
		Instant start = Instant.now();
		long begin = System.nanoTime();
		Answer answer = Answer.send(this.http, ready);
		Duration latency = Duration.ofNanos(System.nanoTime() - begin);
		request.captures().forEach((name, path) -> {
			values.remove(name);
			answer.find(path).ifPresent((value) -> values.put(name, value.toString()));
		});
		return new Sample(request.name(), start, latency, answer.status(), answer.status() == request.status(),
				(answer.status() == 0) ? answer.body() : "");
	}

	/**
	 * Lets users come all at once, each on a connection of its own, and start journeys
	 * for some time, with the next request after the answer to the last (a closed model).
	 */
	public List<Sample> closedLoop(String base, int users, Duration duration) {
		Queue<Sample> samples = new ConcurrentLinkedQueue<>();
		long end = System.nanoTime() + duration.toNanos();
		ExecutorService threads = Executors.newFixedThreadPool(users);
		CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> {
			do {
				samples.addAll(walk(base));
			}
			while (System.nanoTime() < end);
		}, threads)).limit(users).toArray(CompletableFuture<?>[]::new))
			.whenComplete((all, error) -> threads.shutdown())
			.join();
		return List.copyOf(samples);
	}

	/** Walks through a stub, so that the client's own first requests are over. */
	public Journey warmedUp() {
		warmUp(50);
		return this;
	}

	List<Sample> warmUp(int times) {
		try {
			byte[] body = "{\"id\": 1, \"next\": 1}".getBytes(StandardCharsets.UTF_8);
			HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			stub.createContext("/", (exchange) -> {
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
				exchange.close();
			});
			stub.start();
			try {
				return IntStream.range(0, times)
					.mapToObj((i) -> walk("http://127.0.0.1:" + stub.getAddress().getPort()))
					.flatMap(List::stream)
					.toList();
			}
			finally {
				stub.stop(0);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * One request of the journey; {@code #{name}} marks a value captured before.
	 *
	 * @param body the JSON body, or empty
	 * @param captures the values that later requests need: JSONPath by name
	 */
	public record Request(String name, String method, String path, String body, int status,
			Map<String, String> captures) {

		Stream<String> placeholders() {
			return PLACEHOLDER.matcher(this.path + this.body).results().map((match) -> match.group(1));
		}

		HttpRequest.Builder to(String base, Map<String, String> values) {
			return HttpRequest.newBuilder(URI.create(base + render(this.path, values)))
				.headers("Accept", this.path.contains("/stream") ? "text/event-stream" : "application/json",
						"Content-Type", "application/json")
				.method(this.method, this.body.isEmpty() ? HttpRequest.BodyPublishers.noBody()
						: HttpRequest.BodyPublishers.ofString(render(this.body, values)));
		}

		private static String render(String template, Map<String, String> values) {
			return PLACEHOLDER.matcher(template)
				.replaceAll((match) -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), "")));
		}

	}

}
