package dev.warmup.bench.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;

/**
 * The answer to an HTTP request.
 *
 * @param status the status, 0 when the connection failed or the request timed out
 * @param headers the response headers
 * @param body the body, or the error message when the status is 0
 */
public record Answer(int status, HttpHeaders headers, String body) {

	private static final HttpClient SHARED = client();

	public static HttpClient client() {
		return HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(Duration.ofSeconds(5))
			.build();
	}

	/** Sends a request without a body, on a connection shared by all callers. */
	public static Answer to(String method, String url) {
		return send(HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody()));
	}

	/** Sends JSON by POST. */
	public static Answer toPost(String url, String json) {
		return send(HttpRequest.newBuilder(URI.create(url))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
	}

	/** Sends any request on a connection shared by all callers. */
	public static Answer send(HttpRequest.Builder request) {
		return send(SHARED, request);
	}

	/** Sends any request, with a limit of 20 s. */
	public static Answer send(HttpClient client, HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = client.send(request.timeout(Duration.ofSeconds(20)).build(),
					HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.headers(), response.body());
		}
		catch (IOException ex) {
			return new Answer(0, HttpHeaders.of(Map.of(), (name, value) -> true), ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Reads a part of a JSON body.
	 * @throws JsonPathException when the body has no such part
	 */
	@SuppressWarnings("TypeParameterUnusedInFormals") // as JsonPath does
	public <T> T read(String path) {
		return JsonPath.read(this.body, path);
	}

	/** Reads a part of a body that may be something else, such as an error message. */
	@SuppressWarnings("TypeParameterUnusedInFormals") // as JsonPath does
	public <T> Optional<T> find(String path) {
		try {
			return Optional.ofNullable(read(path));
		}
		catch (JsonPathException | IllegalArgumentException ex) { // the latter when empty
			return Optional.empty();
		}
	}

}
