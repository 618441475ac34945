package dev.warmup.example.chat.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ChatTest
@TestPropertySource(properties = "warmup.enabled=false") // a run would borrow
															// connections, too
class RequestLoopTests {

	private static final int REQUESTS = 8;

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Autowired
	ChatClient chat;

	@Autowired
	ConnectionPool pool;

	@Test
	void requestThatWaitedForAConnectionContinuesOnItsOwnLoop() {
		PoolMetrics metrics = this.pool.getMetrics().orElseThrow();
		List<Connection> taken = Flux.range(0, metrics.getMaxAllocatedSize())
			.flatMap((number) -> this.pool.create())
			.collectList()
			.blockOptional(TIMEOUT)
			.orElseThrow();
		ConnectionProvider connections = ConnectionProvider.create("waiting", REQUESTS);
		CompletableFuture<List<String>> answers = askAll(HttpClient.create(connections).baseUrl(this.chat.url()));
		await().atMost(TIMEOUT).until(metrics::pendingAcquireSize, (size) -> size >= REQUESTS);
		taken.forEach((connection) -> Mono.from(connection.close()).block(TIMEOUT));
		assertThat(answers.join()).hasSize(REQUESTS).containsOnly("true");
		connections.dispose();
	}

	private static CompletableFuture<List<String>> askAll(HttpClient client) {
		return Flux.range(0, REQUESTS)
			.flatMap((number) -> client.get()
				.uri("/on-its-own-loop")
				.responseSingle((response, content) -> content.asString()), REQUESTS)
			.collectList()
			.toFuture();
	}

	@TestConfiguration
	static class Borrower {

		@Bean
		RouterFunction<ServerResponse> onItsOwnLoop(ConnectionPool pool) {
			return RouterFunctions.route().GET("/on-its-own-loop", (request) -> {
				Thread loop = Thread.currentThread();
				return Mono
					.usingWhen(pool.create(), (connection) -> Mono.fromSupplier(() -> Thread.currentThread() == loop),
							Connection::close)
					.flatMap((same) -> ServerResponse.ok().bodyValue(same));
			}).build();
		}

	}

}
