package dev.warmup.example.chat.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two connections and two event loops; only the test's thread releases. */
@Timeout(120)
class ConnectionHandOverTests {

	private static final int CONNECTIONS = 2;

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final ConnectionHandOver handOver = new ConnectionHandOver();

	private final ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration
		.builder(this.handOver.decorate(ConnectionFactories.get("r2dbc:h2:mem:///hand-over")))
		.initialSize(CONNECTIONS)
		.maxSize(CONNECTIONS)
		.build());

	private final PoolMetrics metrics = this.pool.getMetrics().orElseThrow();

	private final List<Scheduler> loops = IntStream.range(0, 2)
		.mapToObj((number) -> Schedulers.newSingle("loop-" + number))
		.toList();

	@BeforeEach
	void open() {
		assertThat(this.pool.warmup().block(TIMEOUT)).isEqualTo(CONNECTIONS);
	}

	@AfterEach
	void close() {
		this.loops.forEach(Scheduler::dispose);
		this.pool.dispose();
	}

	@Test
	void borrowerWithoutARequestDoesNotContinueOnTheReleasingThread() {
		List<Connection> taken = takeAll();
		CompletableFuture<Thread> waiting = threadOfBorrower().toFuture();
		release(taken);
		assertThat(waiting.join()).isNotSameAs(Thread.currentThread());
	}

	@Test
	void busyBorrowerDoesNotBlockOthers() {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		CompletableFuture<Void> working = Mono
			.usingWhen(this.pool.create(), (connection) -> Mono.<Void>fromRunnable(() -> {
				busy.countDown();
				pause(done);
			}), Connection::close)
			.contextWrite((context) -> RequestLoop.with(context, this.loops.get(0)))
			.subscribeOn(this.loops.get(0))
			.toFuture();
		pause(busy);
		try {
			assertThat(borrow(this.loops.get(1)).block(TIMEOUT)).isSameAs(thread(this.loops.get(1)));
		}
		finally {
			done.countDown();
			working.join();
		}
	}

	@Test
	void canceledBorrowerReturnsItsConnection() {
		CountDownLatch free = new CountDownLatch(1);
		this.loops.get(0).schedule(() -> pause(free));
		CompletableFuture<Thread> canceled = borrow(this.loops.get(0), Schedulers.immediate()).toFuture();
		assertThat(this.metrics.acquiredSize()).isEqualTo(1);
		canceled.cancel(true);
		free.countDown();
		await().atMost(TIMEOUT).until(this.metrics::acquiredSize, (size) -> size == 0);
		release(takeAll());
	}

	@Test
	void driverWithEventLoopsOfItsOwnIsNotChanged() {
		ConnectionFactory postgres = ConnectionFactories.get("r2dbc:postgresql://user@localhost/chat");
		assertThat(this.handOver.decorate(postgres)).isSameAs(postgres);
	}

	private List<Connection> takeAll() {
		return Flux.range(0, CONNECTIONS)
			.flatMap((number) -> this.pool.create())
			.collectList()
			.blockOptional(TIMEOUT)
			.orElseThrow();
	}

	private static void release(List<Connection> connections) {
		connections.forEach((connection) -> Mono.from(connection.close()).block(TIMEOUT));
	}

	private Mono<Thread> borrow(Scheduler loop) {
		return borrow(loop, loop);
	}

	private Mono<Thread> borrow(Scheduler loop, Scheduler subscriber) {
		return threadOfBorrower().contextWrite((context) -> RequestLoop.with(context, loop)).subscribeOn(subscriber);
	}

	private Mono<Thread> threadOfBorrower() {
		return Mono.usingWhen(this.pool.create(), (connection) -> Mono.fromSupplier(Thread::currentThread),
				Connection::close);
	}

	private static Thread thread(Scheduler loop) {
		return Mono.fromSupplier(Thread::currentThread).subscribeOn(loop).blockOptional(TIMEOUT).orElseThrow();
	}

	private static void pause(CountDownLatch until) {
		try {
			assertThat(until.await(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
