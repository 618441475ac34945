package dev.warmup.example.chat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the service on a real PostgreSQL, which is a test dependency.
 */
@ChatTest
@Tag("full")
@ActiveProfiles("postgres")
@DirtiesContext // the server stops with this class
class PostgresTests {

	private static EmbeddedPostgres postgres;

	@Autowired
	ChatClient chat;

	@Autowired
	DatabaseClient database;

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry registry) throws IOException {
		postgres = EmbeddedPostgres.start();
		registry.add("CHAT_DB_PORT", postgres::getPort);
		registry.add("CHAT_DB_NAME", () -> "postgres");
		registry.add("CHAT_DB_USER", () -> "postgres");
		registry.add("CHAT_DB_PASSWORD", () -> "any");
	}

	@AfterAll
	static void stop() throws IOException {
		postgres.close();
	}

	@Test
	void servesFromPostgres() {
		StepVerifier.create(this.database.sql("SELECT version()").mapValue(String.class).one())
			.expectNextMatches((version) -> version.startsWith("PostgreSQL"))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		long user = this.chat.signUp();
		long room = this.chat.createRoom();
		this.chat.join(room, user);
		long first = this.chat.post(room, user, "one");
		this.chat.post(room, user, "two");
		this.chat.http()
			.get()
			.uri("/rooms/{room}/messages?limit=1", room)
			.exchange()
			.expectBody()
			.jsonPath("$.messages[0].text")
			.isEqualTo("two")
			.jsonPath("$.next")
			.isEqualTo(first + 1);
		this.chat.http()
			.get()
			.uri("/rooms/{room}/messages/stream?limit=2", room)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((events) -> assertThat(events).contains("one", "two"));
		this.chat.http().delete().uri("/rooms/{room}", room).exchange().expectStatus().isNoContent();
		this.chat.http().delete().uri("/users/{user}", user).exchange().expectStatus().isNoContent();
		this.chat.http().get().uri("/rooms/{room}", room).exchange().expectStatus().isNotFound();
	}

	@Test
	void rejectsDuplicatesAndUnknownUsers() {
		Map<String, String> signUp = Map.of("email", "ann@example.org", "name", "Ann");
		this.chat.http().post().uri("/users").bodyValue(signUp).exchange().expectStatus().isCreated();
		this.chat.http()
			.post()
			.uri("/users")
			.bodyValue(signUp)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT);
		this.chat.http()
			.post()
			.uri("/rooms/1/messages")
			.bodyValue(Map.of("userId", 4711, "text", "Hello?"))
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("No user has the id 4711.");
	}

}
