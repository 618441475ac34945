package dev.warmup.example.chat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

	@Autowired
	ConnectionPool pool;

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

	@Test
	void clientsThatLeaveTakeNoConnectionAndLeaveNoTransaction() {
		long user = this.chat.signUp();
		long room = this.chat.createRoom();
		this.chat.post(room, user, "one");
		Map<String, String> signUp = Map.of("email", "bob@example.org", "name", "Bob");
		List<String> requests = List.of("GET /rooms", "PUT /rooms/%d/members/%d".formatted(room, user),
				"GET /rooms/%d/messages/stream".formatted(room));
		CompletableFuture<Void> leaving = Flux.range(0, 6_000)
			.flatMap(
					(i) -> Mono.fromCallable(() -> leave(requests.get(i % 3))).subscribeOn(Schedulers.boundedElastic()),
					3)
			.then()
			.toFuture();
		this.chat.http().post().uri("/users").bodyValue(signUp).exchange().expectStatus().isCreated();
		while (!leaving.isDone()) {
			this.chat.http()
				.post()
				.uri("/users")
				.bodyValue(signUp)
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.CONFLICT);
			this.chat.http().get().uri("/rooms").exchange().expectStatus().isOk();
		}
		leaving.join();
		PoolMetrics metrics = this.pool.getMetrics().orElseThrow();
		await().atMost(Duration.ofSeconds(30))
			.until(() -> metrics.acquiredSize() == 0 && metrics.pendingAcquireSize() == 0);
		StepVerifier
			.create(this.database.sql("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")
				.mapValue(Long.class)
				.one())
			.expectNext(0L)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	/** Sends a request, and resets the connection a little later, within 5 ms. */
	private boolean leave(String request) throws IOException, InterruptedException {
		URI server = URI.create(this.chat.url());
		try (Socket socket = new Socket(server.getHost(), server.getPort())) {
			socket.setSoLinger(true, 0);
			socket.getOutputStream().write((request + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
			TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextInt(5_000));
			return true;
		}
	}

}
