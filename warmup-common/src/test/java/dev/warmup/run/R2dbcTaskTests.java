package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Real pools of real H2 connections. */
class R2dbcTaskTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final ConnectionFactory database = new H2ConnectionFactory(
			H2ConnectionConfiguration.builder().inMemory(UUID.randomUUID().toString()).build());

	private final List<ConnectionPool> pools = new ArrayList<>();

	private final ConnectionPool pool = pool(this.database, 5);

	private final ConnectionPool other = pool(this.database, 5);

	@AfterEach
	void close() {
		this.pools.forEach(ConnectionPool::dispose);
	}

	@Test
	void everyPoolIsFilledToItsInitialSizeAlsoBehindWrappersAndAllElseLeftAlone() {
		for (int run = 0; run < 2; run++) {
			run(new Wrapper(new Wrapper(this.pool)), this.other, this.pool, this.database, new Wrapper(this.database));
			assertThat(size(this.pool)).isEqualTo(3);
			assertThat(size(this.other)).isEqualTo(3);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersThatWaitMeanwhileGetAConnectionOrAnError(boolean works) {
		Sinks.Empty<Void> opened = Sinks.empty();
		ConnectionPool slow = pool(new Delayed(this.database, opened.asMono()), 3);
		CompletableFuture<Void> filled = new R2dbcTask(() -> List.of(slow)).run().toFuture();
		CompletableFuture<? extends Connection> borrowed = slow.create().toFuture();
		assertThat(slow.getMetrics().orElseThrow().pendingAcquireSize()).isOne();
		if (works) {
			opened.tryEmitEmpty().orThrow();
			assertThat(filled).succeedsWithin(TIMEOUT);
			assertThat(borrowed).succeedsWithin(TIMEOUT);
		}
		else {
			opened.tryEmitError(new IllegalStateException("no database")).orThrow();
			assertThat(filled).failsWithin(TIMEOUT);
			assertThat(borrowed).failsWithin(TIMEOUT);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, false", "1, false", "0, true", "1, true" })
	void aDatabaseThatCannotBeReachedForAWhileTakesNoConnectionFromThePool(int opened, boolean hangs) {
		AtomicInteger left = new AtomicInteger(opened);
		AtomicBoolean works = new AtomicBoolean();
		IllegalStateException noDatabase = new IllegalStateException("no database");
		Sinks.Empty<Void> network = Sinks.empty();
		Mono<Void> mayOpen = Mono.defer(() -> (works.get() || left.getAndDecrement() > 0) ? Mono.empty()
				: hangs ? network.asMono() : Mono.error(noDatabase));
		ConnectionPool pool = pool(new Delayed(this.database, mayOpen), 3);
		new R2dbcTask(() -> List.of(pool)).run().timeout(Duration.ofMillis(500)).onErrorComplete().block(TIMEOUT);
		works.set(true);
		network.tryEmitError(noDatabase);
		StepVerifier.create(Flux.range(0, 3).flatMap((number) -> pool.create()))
			.expectNextCount(3)
			.expectComplete()
			.verify(TIMEOUT);
	}

	private static int size(ConnectionPool pool) {
		return pool.getMetrics().orElseThrow().allocatedSize();
	}

	private static void run(ConnectionFactory... factories) {
		StepVerifier.create(new R2dbcTask(() -> List.of(factories)).run().subscribeOn(Schedulers.boundedElastic()))
			.expectComplete()
			.verify(TIMEOUT);
	}

	/** A pool that is closed after the test. */
	private ConnectionPool pool(ConnectionFactory database, int maxSize) {
		ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(database)
			.initialSize(3)
			.maxSize(maxSize)
			.allocatorSubscribeOn(Schedulers.boundedElastic())
			.build());
		this.pools.add(pool);
		return pool;
	}

	/** Opens no connection before it may. */
	private record Delayed(ConnectionFactory database, Mono<Void> mayOpen) implements ConnectionFactory {

		@Override
		public Publisher<? extends Connection> create() {
			return this.mayOpen.then(Mono.from(this.database.create()));
		}

		@Override
		public ConnectionFactoryMetadata getMetadata() {
			return this.database.getMetadata();
		}

	}

	private record Wrapper(ConnectionFactory unwrap) implements ConnectionFactory, Wrapped<ConnectionFactory> {

		@Override
		public Publisher<? extends Connection> create() {
			return this.unwrap.create();
		}

		@Override
		public ConnectionFactoryMetadata getMetadata() {
			return this.unwrap.getMetadata();
		}

	}

}
