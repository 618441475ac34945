package dev.warmup.bench.load;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Users side by side, each on a connection of its own, and each with the next request
 * once the one before is answered: a closed loop.
 */
public final class Crowd {

	private Crowd() {
	}

	/**
	 * Lets users walk through a journey again and again. Blocks.
	 * @param browser whose connections they use
	 * @param journey what they ask for
	 * @param base where
	 * @param connections how many users
	 * @param duration how long; nobody begins the journey anew after that, but who is on
	 * it goes on to its end, so that what was made is removed
	 * @return all that they saw
	 */
	public static Experience at(Browser browser, Journey journey, URI base, int connections, Duration duration) {
		Queue<Visit> visits = new ConcurrentLinkedQueue<>();
		CountDownLatch done = new CountDownLatch(connections);
		long begin = System.nanoTime();
		long end = begin + duration.toNanos();
		List<Thread> users = IntStream.range(0, connections).mapToObj((i) -> new Thread(() -> {
			try {
				while (System.nanoTime() - end < 0) {
					journey.walk(browser, base, visits::add);
				}
			}
			finally {
				done.countDown();
			}
		}, "user-" + i)).toList();
		users.forEach((user) -> user.setDaemon(true));
		users.forEach(Thread::start);
		try {
			done.await();
		}
		catch (InterruptedException ex) {
			users.forEach(Thread::interrupt);
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		return new Experience(begin, List.copyOf(visits));
	}

}
