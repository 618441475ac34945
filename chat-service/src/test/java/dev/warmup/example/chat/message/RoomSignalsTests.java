package dev.warmup.example.chat.message;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class RoomSignalsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final RoomSignals signals = new RoomSignals();

	@Test
	void postingDoesNotWaitForABusyReader() throws Exception {
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		AtomicInteger read = new AtomicInteger();
		this.signals.of(1).subscribe((room) -> {
			reading.countDown();
			awaitUninterrupted(goOn);
			read.incrementAndGet();
		});
		CompletableFuture<Void> first = CompletableFuture.runAsync(() -> this.signals.wake(1));
		assertThat(reading.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

		this.signals.wake(1);
		assertThat(first).isNotDone();

		goOn.countDown();
		first.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		Awaitility.await().atMost(TIMEOUT).until(() -> read.get() == 2);
	}

	@Test
	void onlyReadersOfTheRoomAreWoken() {
		AtomicInteger one = new AtomicInteger();
		AtomicInteger other = new AtomicInteger();
		this.signals.of(1).subscribe((room) -> one.incrementAndGet());
		this.signals.of(2).subscribe((room) -> other.incrementAndGet());
		this.signals.wake(1);
		this.signals.wake(3);
		assertThat(one).hasValue(1);
		assertThat(other).hasValue(0);
	}

	@Test
	void canceledReaderIsNotWoken() {
		AtomicInteger left = new AtomicInteger();
		AtomicInteger stayed = new AtomicInteger();
		Disposable leaving = this.signals.of(1).subscribe((room) -> left.incrementAndGet());
		this.signals.of(1).subscribe((room) -> stayed.incrementAndGet());
		leaving.dispose();
		this.signals.wake(1);
		assertThat(left).hasValue(0);
		assertThat(stayed).hasValue(1);
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
