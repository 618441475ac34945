package dev.warmup.bench.variant;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Sends as mittens does, where mittens is not at hand. It differs in that all connections
 * are kept: mittens keeps two, and opens the others anew for each request.
 */
final class MittensClient implements Sidecar {

	private final Duration timeout;

	/** Waits for answers as long as mittens does. */
	MittensClient() {
		this(TIMEOUT);
	}

	/**
	 * Creates the client.
	 * @param timeout how long an answer is waited for, to its last byte
	 */
	MittensClient(Duration timeout) {
		this.timeout = timeout;
	}

	@Override
	public String title() {
		return "mittens' schedule (our client)";
	}

	@Override
	public Effort warm(URI target, Schedule schedule, Map<String, String> headers, List<StaticRequest> requests) {
		HttpClient http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(this.timeout)
			.build();
		Tally tally = new Tally();
		CountDownLatch done = new CountDownLatch(schedule.workers());
		List<Thread> workers = IntStream.range(0, schedule.workers()).mapToObj((i) -> new Thread(() -> {
			try {
				work(schedule, () -> {
					StaticRequest request = requests.get(ThreadLocalRandom.current().nextInt(requests.size()));
					return answered(http, request.to(target, headers, this.timeout));
				}, tally);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				done.countDown();
			}
		}, "mittens-" + i)).toList();
		workers.forEach((worker) -> worker.setDaemon(true));
		workers.forEach(Thread::start);
		try {
			if (!done.await(schedule.longest(this.timeout).plus(TIMEOUT).toNanos(), TimeUnit.NANOSECONDS)) {
				throw new IllegalStateException("mittens' schedule does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			workers.forEach(Thread::interrupt);
		}
		return tally.effort();
	}

	private static void work(Schedule schedule, Sending sending, Tally tally) throws InterruptedException {
		long begin = System.nanoTime();
		Duration taken;
		do {
			taken = Duration.ofNanos(System.nanoTime() - begin);
			TimeUnit.NANOSECONDS.sleep(schedule.delay().toNanos());
			tally.count(sending.asExpected());
		}
		while (schedule.goesOn(taken));
	}

	/**
	 * As in mittens, the time for an answer ends with its last byte: a stream may have
	 * none.
	 */
	private boolean answered(HttpClient http, HttpRequest request) throws InterruptedException {
		CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
		try {
			return answer.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS).statusCode() / 100 == 2;
		}
		catch (ExecutionException | TimeoutException ex) {
			return false;
		}
		finally {
			answer.cancel(true);
		}
	}

	/** Sends one request, and tells whether it was answered as it should. */
	private interface Sending {

		boolean asExpected() throws InterruptedException;

	}

}
