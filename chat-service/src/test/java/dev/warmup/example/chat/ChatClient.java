package dev.warmup.example.chat;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Requests that several tests need as a set-up. */
@Lazy // the port is known once the server listens
@TestComponent
public class ChatClient {

	private final String url;

	private final WebTestClient http;

	ChatClient(Environment environment) {
		this.url = "http://localhost:" + environment.getRequiredProperty("local.server.port");
		this.http = WebTestClient.bindToServer().baseUrl(this.url).responseTimeout(Duration.ofSeconds(60)).build();
	}

	public String url() {
		return this.url;
	}

	public WebTestClient http() {
		return this.http;
	}

	/** Signs a user up, and returns the id. */
	public long signUp() {
		return create("/users", Map.of("email", UUID.randomUUID() + "@example.org", "name", "Ann"));
	}

	/** Creates a room, and returns the id. */
	public long createRoom() {
		return create("/rooms", Map.of("name", "A room"));
	}

	/** Posts a message, and returns the id. */
	public long post(long room, long user, String text) {
		return create("/rooms/%d/messages".formatted(room), Map.of("userId", user, "text", text));
	}

	public void join(long room, long user) {
		this.http.put().uri("/rooms/{room}/members/{user}", room, user).exchange().expectStatus().isNoContent();
	}

	private long create(String path, Object body) {
		return this.http.post()
			.uri(path)
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CREATED)
			.expectBody(Created.class)
			.returnResult()
			.getResponseBody()
			.id();
	}

	record Created(long id) {
	}

}
