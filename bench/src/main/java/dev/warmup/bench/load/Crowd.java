package dev.warmup.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Users who all come at once, each on a connection of its own, and make the journey again
 * and again, each with the next request after the answer to the last one (a closed
 * model).
 */
public final class Crowd {

	private Crowd() {
	}

	/**
	 * Lets them come. Blocks until the last of them has ended a journey.
	 * @param journey what they request
	 * @param base the address, as {@link Journey#walk} takes it
	 * @param connections how many users come
	 * @param duration how long they start journeys
	 * @return their requests in the order of the answers
	 */
	public static List<Sample> at(Journey journey, String base, int connections, Duration duration) {
		Queue<Sample> samples = new ConcurrentLinkedQueue<>();
		long end = System.nanoTime() + duration.toNanos();
		List<Thread> threads = IntStream.range(0, connections).mapToObj((i) -> new Thread(() -> {
			do {
				journey.walk(base, samples::add);
			}
			while (System.nanoTime() < end);
		}, "crowd-" + i)).toList();
		threads.forEach(Thread::start);
		try {
			for (Thread thread : threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		return List.copyOf(samples);
	}

}
