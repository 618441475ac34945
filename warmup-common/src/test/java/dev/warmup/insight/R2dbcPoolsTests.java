package dev.warmup.insight;

import java.time.Duration;
import java.util.Map;

import dev.warmup.insight.PoolSource.Pool;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class R2dbcPoolsTests {

	private final ConnectionFactory database = ConnectionFactories.get("r2dbc:h2:mem:///pools");

	private final ConnectionPool pool = new ConnectionPool(
			ConnectionPoolConfiguration.builder(this.database).initialSize(0).maxSize(3).build());

	@AfterEach
	void close() {
		this.pool.dispose();
	}

	@Test
	void poolTellsHowManyConnectionsAreInUse() {
		Pool gauge = new R2dbcPools(() -> Map.of("main", this.pool)).pools().get(0);
		assertThat(gauge.name()).isEqualTo("main");
		assertThat(gauge.max()).isEqualTo(3);
		assertThat(gauge.active().getAsInt()).isZero();
		StepVerifier.create(Mono.usingWhen(this.pool.create(),
				(one) -> Mono.usingWhen(this.pool.create(),
						(other) -> Mono.fromSupplier(() -> gauge.active().getAsInt()), Connection::close),
				Connection::close))
			.expectNext(2)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(gauge.active().getAsInt()).isZero();
	}

	@Test
	void poolTellsHowManyConnectionsAreOpen() {
		Pool gauge = new R2dbcPools(() -> Map.of("main", this.pool)).pools().get(0);
		assertThat(gauge.open().getAsInt()).isZero();
		StepVerifier
			.create(Mono.usingWhen(this.pool.create(), (one) -> Mono.fromSupplier(() -> gauge.open().getAsInt()),
					Connection::close))
			.expectNext(1)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(gauge.open().getAsInt()).isEqualTo(1);
		assertThat(gauge.minimum()).isEqualTo("initialSize");
	}

	@Test
	void thoseWhoWaitAreTold() {
		Pool gauge = new R2dbcPools(() -> Map.of("main", this.pool)).pools().get(0);
		StepVerifier.create(Flux.range(0, 3).concatMap((i) -> this.pool.create()).collectList())
			.assertNext((held) -> assertThat(held).hasSize(3))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		StepVerifier.create(this.pool.create())
			.thenAwait(Duration.ofMillis(1))
			.then(() -> assertThat(gauge.pending().getAsInt()).isPositive())
			.thenCancel()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void poolIsFoundBehindAnotherFactoryAndOnce() {
		assertThat(new R2dbcPools(() -> Map.of("main", this.pool, "wrapped", new Wrapping(this.pool))).pools())
			.hasSize(1);
		assertThat(new R2dbcPools(() -> Map.of("wrapped", new Wrapping(this.pool))).pools()).extracting(Pool::name)
			.containsExactly("wrapped");
	}

	@Test
	void otherFactoriesAreLeftOut() {
		assertThat(new R2dbcPools(() -> Map.of("plain", this.database, "wrapped", new Wrapping(this.database))).pools())
			.isEmpty();
	}

	private record Wrapping(ConnectionFactory target) implements ConnectionFactory, Wrapped<ConnectionFactory> {

		@Override
		public Publisher<? extends Connection> create() {
			return this.target.create();
		}

		@Override
		public ConnectionFactoryMetadata getMetadata() {
			return this.target.getMetadata();
		}

		@Override
		public ConnectionFactory unwrap() {
			return this.target;
		}

	}

}
