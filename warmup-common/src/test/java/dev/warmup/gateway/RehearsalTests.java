package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.circuitbreaker.ConfigBuilder;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalTests {

	private final List<String> seen = new CopyOnWriteArrayList<>();

	@Test
	void breakerAndLimitOfNobodyAreUsedOnce() {
		Rehearsal rehearsal = new Rehearsal(() -> Stream.of(new Breakers()), () -> Stream.of(limiter("a")));
		rehearsal.run();
		rehearsal.run();
		awaitSeen("breaker warmup", "success", "failure", "limiter a warmup dev.warmup.rehearsal");
		rehearsal.run();
		assertThat(this.seen).hasSize(4);
	}

	@Test
	void failingPartLeavesTheOthersTheirTurn() {
		Rehearsal rehearsal = new Rehearsal(() -> {
			throw new IllegalStateException("no breakers today");
		}, () -> Stream.of(limiter("throws"), limiter("fails"), limiter("refuses"), limiter("last")));
		rehearsal.run();
		awaitSeen("limiter throws warmup dev.warmup.rehearsal", "limiter fails warmup dev.warmup.rehearsal",
				"limiter refuses warmup dev.warmup.rehearsal", "limiter last warmup dev.warmup.rehearsal");
	}

	@Test
	void blockingPartKeepsNobodyWaiting() {
		Rehearsal rehearsal = new Rehearsal(Stream::of, () -> Stream.of(limiter("blocks")));
		Mono.fromRunnable(rehearsal).subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(30));
		awaitSeen("limiter blocks warmup dev.warmup.rehearsal", "blocked");
	}

	private void awaitSeen(String... expected) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(this.seen).containsExactly(expected));
	}

	private RateLimiter<?> limiter(String name) {
		return new Limiter(name);
	}

	private final class Limiter extends AbstractRateLimiter<Object> {

		private final String name;

		private Limiter(String name) {
			super(Object.class, name, null);
			this.name = name;
		}

		@Override
		public Mono<Response> isAllowed(String routeId, String id) {
			RehearsalTests.this.seen.add("limiter " + this.name + " " + routeId + " " + id);
			return switch (this.name) {
				case "throws" -> throw new IllegalArgumentException("No Configuration found for route " + routeId);
				case "fails" -> Mono.error(new IllegalStateException("no connection"));
				case "blocks" -> {
					Mono.delay(Duration.ofMillis(1)).block();
					RehearsalTests.this.seen.add("blocked");
					yield Mono.empty();
				}
				default -> Mono.just(new Response(this.name.equals("last"), Map.of()));
			};
		}

	}

	private final class Breakers extends ReactiveCircuitBreakerFactory<Object, ConfigBuilder<Object>> {

		@Override
		public ReactiveCircuitBreaker create(String id) {
			RehearsalTests.this.seen.add("breaker " + id);
			return new ReactiveCircuitBreaker() {

				@Override
				public <T> Mono<T> run(Mono<T> toRun, Function<Throwable, Mono<T>> fallback) {
					return toRun.doOnSuccess((done) -> RehearsalTests.this.seen.add("success"))
						.doOnError((error) -> RehearsalTests.this.seen.add("failure"))
						.onErrorResume(fallback);
				}

				@Override
				public <T> Flux<T> run(Flux<T> toRun, Function<Throwable, Flux<T>> fallback) {
					return toRun.onErrorResume(fallback);
				}
			};
		}

		@Override
		protected ConfigBuilder<Object> configBuilder(String id) {
			return Object::new;
		}

		@Override
		public void configureDefault(Function<String, Object> defaultConfiguration) {
		}

	}

}
