package dev.warmup.example.chat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.handler.codec.http.HttpMethod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends requests over 50 keep-alive connections; {@code chat.load.requests} says how
 * many.
 */
@ChatTest
@Tag("full")
@Timeout(660)
class EveryRequestIsAnsweredTests {

	private static final int CONNECTIONS = 50;

	private static final int REQUESTS = Integer.getInteger("chat.load.requests", 20_000);

	private static final Duration LOST = Duration.ofSeconds(60);

	@Autowired
	ChatClient chat;

	private final AtomicLong answered = new AtomicLong();

	@Test
	void answersEveryRequest() {
		ConnectionProvider connections = ConnectionProvider.create("load", CONNECTIONS);
		HttpClient client = HttpClient.create(connections)
			.baseUrl(this.chat.url())
			.headers((headers) -> headers.set("Content-Type", "application/json"))
			.responseTimeout(LOST)
			.disableRetry(true); // a resent request would hide a lost one
		StepVerifier
			.create(Flux.range(0, REQUESTS / 5).flatMap((visitor) -> visit(client, visitor), CONNECTIONS).then())
			.expectComplete()
			.verify(Duration.ofMinutes(10));
		assertThat(this.answered).hasValueGreaterThanOrEqualTo(REQUESTS / 5 * 5L);
		connections.dispose();
	}

	private Mono<Void> visit(HttpClient client, int visitor) {
		String signUp = "{\"email\":\"load-%d@example.org\",\"name\":\"Visitor\"}".formatted(visitor);
		return send(client, HttpMethod.POST, "/users", signUp, 201).flatMap((user) -> {
			String id = user.replaceFirst(".*\"id\":(\\d+).*", "$1");
			String message = "{\"userId\":%s,\"text\":\"Hello\"}".formatted(id);
			return send(client, HttpMethod.GET, "/users/" + id, "", 200)
				.then(send(client, HttpMethod.POST, "/rooms/1/messages", message, 201))
				.then(send(client, HttpMethod.GET, "/rooms/1/messages?limit=5", "", 200))
				.then(send(client, HttpMethod.DELETE, "/users/" + id, "", 204))
				.then();
		});
	}

	private Mono<String> send(HttpClient client, HttpMethod method, String path, String body, int expected) {
		return client.request(method)
			.uri(path)
			.send(body.isEmpty() ? ByteBufFlux.fromInbound(Mono.empty()) : ByteBufFlux.fromString(Mono.just(body)))
			.responseSingle((response, content) -> content.asString().defaultIfEmpty("").doOnNext((text) -> {
				assertThat(response.status().code()).as("%s %s: %s", method, path, text).isEqualTo(expected);
				this.answered.incrementAndGet();
			}));
	}

}
