package dev.warmup.insight;

import java.util.Map;
import java.util.function.Function;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** A WebFlux service on Netty and r2dbc-pool, one of whose requests holds two. */
class ReactiveShopTests {

	private static JsonNode run;

	private static WarmedShop shop;

	@BeforeAll
	static void warm() {
		shop = new WarmedShop(Shop.class, WebApplicationType.REACTIVE);
		run = shop.run();
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	@Test
	void reportSaysHowManyConnectionsEachRequestHolds() {
		assertThat(run.path("verdict").asString()).as(run.toPrettyString()).isEqualTo("WARM");
		assertThat(run.path("requests").valueStream())
			.extracting((request) -> request.path("scenario").asString() + "/" + request.path("name").asString(),
					(request) -> request.path("connections").intValue())
			.containsExactly(tuple("orders/two", 2), tuple("orders/one", 1), tuple("carts/two", 2));
	}

	@Test
	void findingsSayHowManyRequestsThePoolBears() {
		assertThat(run.path("findings").valueStream().map(JsonNode::asString)).contains(
				"Pool connectionFactory can deadlock: orders/two holds 2 connections at once; its 3 are enough for"
						+ " 2 such requests at a time, and no number of threads bounds these.");
	}

	@Test
	void thoseWhoWaitedForAConnectionAreToldOf() {
		assertThat(run.path("findings").valueStream().map(JsonNode::asString))
			.anySatisfy((finding) -> assertThat(finding).matches(
					"Pool connectionFactory: (a request|\\d requests at once) waited for one of its 3 connections\\."));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		Looks looks() {
			return new Looks();
		}

		@Bean
		ConnectionPool connectionFactory(Looks looks) {
			return new WatchedPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///shop"))
				.initialSize(0)
				.maxSize(3)
				.build(), looks);
		}

		@Bean
		Orders orders(ConnectionFactory pool) {
			return new Orders(pool);
		}

	}

	@RestController
	static class Orders {

		private final ConnectionFactory pool;

		Orders(ConnectionFactory pool) {
			this.pool = pool;
		}

		@GetMapping("/one")
		Mono<Map<String, Integer>> one() {
			return holding((connection) -> held(1)).subscribeOn(Schedulers.boundedElastic());
		}

		@GetMapping("/two")
		Mono<Map<String, Integer>> two() {
			return holding((connection) -> holding((other) -> held(2))).subscribeOn(Schedulers.boundedElastic());
		}

		private <T> Mono<T> holding(Function<Connection, Mono<T>> work) {
			return Mono.usingWhen(this.pool.create(), work, Connection::close);
		}

		private static Mono<Map<String, Integer>> held(int connections) {
			record Held(int connections) { // not loaded before the first request
			}
			return Mono.just(Map.of("held", new Held(connections).connections()));
		}

	}

	/**
	 * Lends a connection when what is in use before was seen, and hands it over when that
	 * it is in use was seen too. H2 blocks, so it is kept off the event loop.
	 */
	private static final class WatchedPool extends ConnectionPool {

		private final Mono<Void> seen;

		WatchedPool(ConnectionPoolConfiguration configuration, Looks looks) {
			super(configuration);
			this.seen = Mono.<Void>fromRunnable(looks::await).subscribeOn(Schedulers.boundedElastic());
		}

		@Override
		public Mono<Connection> create() {
			return this.seen.then(super.create()).delayUntil((connection) -> this.seen);
		}

	}

}
