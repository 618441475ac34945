package dev.warmup.e2e;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Users who come at a steady rate, whatever becomes of those before them, and who note
 * every answer. Latency counts from the moment a request was meant to be sent, so that a
 * stall is seen by all who came during it.
 */
final class SteadyClient implements AutoCloseable {

	static final int PER_SECOND = 50;

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	private final Function<String, String> answeredBy;

	private SteadyClient(Function<String, String> answeredBy) {
		this.answeredBy = answeredBy;
	}

	/**
	 * Begins to send.
	 * @param url what to get, {@value #PER_SECOND} times a second
	 * @param answeredBy names the instance that answered, from the body
	 * @return the running client
	 */
	static SteadyClient start(String url, Function<String, String> answeredBy) {
		SteadyClient client = new SteadyClient(answeredBy);
		HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build();
		long period = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
		long begin = System.nanoTime();
		Instant beginning = Instant.now();
		AtomicInteger next = new AtomicInteger();
		client.timer.scheduleAtFixedRate(() -> {
			Duration sinceBegin = Duration.ofNanos(next.getAndIncrement() * period);
			client.send(request, beginning.plus(sinceBegin), begin + sinceBegin.toNanos());
		}, 0, period, TimeUnit.NANOSECONDS);
		return client;
	}

	private void send(HttpRequest request, Instant meant, long meantNanos) {
		this.waiting.incrementAndGet();
		this.http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).whenComplete((answer, error) -> {
			Duration latency = Duration.ofNanos(System.nanoTime() - meantNanos);
			this.samples.add((error != null) ? new Sample(meant, latency, 0, String.valueOf(error))
					: new Sample(meant, latency, answer.statusCode(), this.answeredBy.apply(answer.body())));
			this.waiting.decrementAndGet();
		});
	}

	/**
	 * What was noted so far.
	 * @return the answers in the order in which they came
	 */
	List<Sample> samples() {
		return List.copyOf(this.samples);
	}

	/**
	 * Lets users come for a while.
	 * @param duration how long
	 * @return what was noted of those who came in that time
	 */
	List<Sample> during(Duration duration) {
		Instant from = Instant.now();
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		return since(from);
	}

	/**
	 * What was noted of those who came from a moment on.
	 * @param from the moment
	 * @return the answers
	 */
	List<Sample> since(Instant from) {
		return this.samples.stream().filter((sample) -> !sample.meant().isBefore(from)).toList();
	}

	/** Sends no more, and waits for what is on its way. */
	void finish() {
		this.timer.shutdown();
		org.awaitility.Awaitility.await().atMost(TIMEOUT.multipliedBy(2)).until(() -> this.waiting.get() == 0);
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

	/**
	 * One user's answer.
	 *
	 * @param meant when it was meant to be asked for
	 * @param latency from then to the last byte
	 * @param status its status, 0 when nobody answered
	 * @param by who answered, or what went wrong
	 */
	record Sample(Instant meant, Duration latency, int status, String by) {

		boolean isError() {
			return this.status != 200;
		}

		Instant answered() {
			return this.meant.plus(this.latency);
		}

		/**
		 * The latency that a share of the users did not exceed.
		 * @param samples the users, at least one
		 * @param percent the share
		 * @return the latency
		 */
		static Duration percentile(List<Sample> samples, double percent) {
			List<Duration> sorted = samples.stream().map(Sample::latency).sorted().toList();
			return sorted.get((int) Math.min(sorted.size() - 1, Math.ceil(sorted.size() * percent / 100) - 1));
		}

	}

}
