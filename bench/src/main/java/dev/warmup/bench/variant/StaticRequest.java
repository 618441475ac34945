package dev.warmup.bench.variant;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A request as mittens knows it: the same each time, whatever was answered before.
 *
 * @param method in capitals
 * @param path as the service has it, with its query, without a colon
 * @param body JSON, if any
 */
record StaticRequest(String method, String path, Optional<String> body) {

	/**
	 * What can be asked of a chat-service that has just started without knowing its
	 * answers: users are numbered from 1, and room 1 is the lobby. Some of these are
	 * refused until others were sent, and the second sign-up of the same user always is:
	 * mittens fills in placeholders once, as it starts.
	 * @param copies how often to list the requests, each time with another user to sign
	 * up
	 * @param posting whether bodies go out as JSON, so that there will be messages: only
	 * then is a room followed, as an answer of two messages that nobody posts never ends
	 * @return the requests
	 */
	static List<StaticRequest> ofChat(int copies, boolean posting) {
		Stream<StaticRequest> following = posting ? Stream.of(without("GET", "/rooms/1/messages/stream?limit=2"))
				: Stream.empty();
		List<StaticRequest> common = Stream.concat(always(), following).toList();
		return IntStream.range(0, copies)
			.boxed()
			.flatMap((copy) -> Stream.concat(Stream.of(signUp()), common.stream()))
			.toList();
	}

	private static StaticRequest signUp() {
		return with("POST", "/users",
				"{\"email\":\"%s@warmup.invalid\",\"name\":\"Warm Up\"}".formatted(UUID.randomUUID()));
	}

	private static Stream<StaticRequest> always() {
		return Stream.of(without("GET", "/users/1"), without("DELETE", "/users/2"), without("GET", "/rooms"),
				with("POST", "/rooms", "{\"name\":\"Warm-up\"}"), without("GET", "/rooms/1"),
				without("DELETE", "/rooms/2"), without("PUT", "/rooms/1/members/1"),
				with("POST", "/rooms/1/messages", "{\"userId\":1,\"text\":\"Good morning\"}"),
				without("GET", "/rooms/1/messages?limit=1"), without("DELETE", "/rooms/1/members/1"));
	}

	private static StaticRequest with(String method, String path, String body) {
		return new StaticRequest(method, path, Optional.of(body));
	}

	private static StaticRequest without(String method, String path) {
		return new StaticRequest(method, path, Optional.empty());
	}

	/**
	 * How mittens reads it.
	 * @return the value of its flag {@code http-requests}
	 */
	String flag() {
		return this.method.toLowerCase(Locale.ROOT) + ":" + this.path + this.body.map((text) -> ":" + text).orElse("");
	}

	/**
	 * How our client sends it.
	 * @param target the service's address, without a slash at its end
	 * @param headers what is sent along
	 * @param timeout how long to wait for the answer
	 * @return the request
	 */
	HttpRequest to(URI target, Map<String, String> headers, Duration timeout) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + this.path))
			.timeout(timeout)
			.method(this.method,
					this.body.map(HttpRequest.BodyPublishers::ofString).orElseGet(HttpRequest.BodyPublishers::noBody));
		headers.forEach(request::setHeader);
		return request.build();
	}

}
