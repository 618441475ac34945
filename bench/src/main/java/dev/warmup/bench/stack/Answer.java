package dev.warmup.bench.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import com.jayway.jsonpath.JsonPath;

/**
 * An answer over HTTP.
 *
 * @param status its status, 0 when nobody answered
 * @param body its body
 */
public record Answer(int status, String body) {

	private static final HttpClient CLIENT = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	/**
	 * Sends a request without a body.
	 * @param method the method
	 * @param url the absolute URL
	 * @return the answer
	 */
	public static Answer to(String method, String url) {
		return to(HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody()));
	}

	/**
	 * Sends JSON by POST.
	 * @param url the absolute URL
	 * @param json the body
	 * @return the answer
	 */
	public static Answer toPost(String url, String json) {
		return to(HttpRequest.newBuilder(URI.create(url))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
	}

	private static Answer to(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = CLIENT.send(request.timeout(Duration.ofSeconds(20)).build(),
					HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body());
		}
		catch (ConnectException ex) {
			return new Answer(0, "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Reads a part of the body.
	 * @param path the JSONPath
	 * @param <T> what stands there
	 * @return the part
	 */
	@SuppressWarnings("TypeParameterUnusedInFormals") // as JsonPath does
	public <T> T read(String path) {
		return JsonPath.read(this.body, path);
	}

}
