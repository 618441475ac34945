package dev.warmup.task;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

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
import org.reactivestreams.Publisher;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Real pools of real H2 connections. */
class R2dbcTaskTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ConnectionFactory database = new H2ConnectionFactory(
			H2ConnectionConfiguration.builder().inMemory(UUID.randomUUID().toString()).build());

	private final ConnectionPool pool = pool(this.database);

	private final ConnectionPool other = pool(this.database);

	@AfterEach
	void close() {
		this.pool.dispose();
		this.other.dispose();
	}

	@Test
	void everyPoolIsFilledToItsInitialSizeAlsoBehindWrappers() {
		run(new Wrapper(new Wrapper(this.pool)), this.other, this.pool);
		assertThat(size(this.pool)).isEqualTo(3);
		assertThat(size(this.other)).isEqualTo(3);
	}

	@Test
	void aFullPoolIsLeftAlone() {
		run(this.pool);
		run(this.pool);
		assertThat(size(this.pool)).isEqualTo(3);
	}

	@Test
	void whatIsNoPoolIsLeftAlone() {
		run(this.database, new Wrapper(this.database));
	}

	@Test
	void aPoolWithoutItsDatabaseFailsAndTheOthersAreFilled() {
		ConnectionPool broken = pool(
				new H2ConnectionFactory(H2ConnectionConfiguration.builder().url("mem:none;IFEXISTS=TRUE").build()));
		StepVerifier.create(new R2dbcTask(() -> List.of(broken, this.other)).run()).expectError().verify(PATIENCE);
		assertThat(size(this.other)).isEqualTo(3);
		broken.dispose();
	}

	private static int size(ConnectionPool pool) {
		return pool.getMetrics().orElseThrow().allocatedSize();
	}

	private static void run(ConnectionFactory... factories) {
		StepVerifier.create(new R2dbcTask(() -> List.of(factories)).run().subscribeOn(Schedulers.boundedElastic()))
			.expectComplete()
			.verify(PATIENCE);
	}

	private static ConnectionPool pool(ConnectionFactory database) {
		return new ConnectionPool(ConnectionPoolConfiguration.builder(database)
			.initialSize(3)
			.maxSize(5)
			.allocatorSubscribeOn(Schedulers.boundedElastic())
			.build());
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
