package dev.warmup.bench.load;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Users who come at a steady rate, whatever becomes of those before them, and who note
 * every answer. Latency counts from the moment a request was meant to be sent, so that a
 * stall is seen by all who came during it.
 */
public final class SteadyClient implements AutoCloseable {

	/** How many users come each second. */
	public static final int PER_SECOND = 50;

	private static final Duration PERIOD = Duration.ofSeconds(1).dividedBy(PER_SECOND);

	/** Until the first user comes: longer than it takes to start the timer's thread. */
	private static final Duration LEAD = Duration.ofMillis(100);

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger arrived = new AtomicInteger();

	private final HttpRequest request;

	private final Function<String, String> answeredBy;

	private final Future<?> arrivals;

	private final Instant beginning;

	private final long begin;

	private SteadyClient(HttpRequest request, Function<String, String> answeredBy) {
		this.request = request;
		this.answeredBy = answeredBy;
		Runnable arrival = this::arrive;
		// last of all: what lies between this and the timer's own beginning is added to
		// each latency
		this.beginning = Instant.now().plus(LEAD);
		this.begin = System.nanoTime() + LEAD.toNanos();
		this.arrivals = this.timer.scheduleAtFixedRate(arrival, LEAD.toNanos(), PERIOD.toNanos(), TimeUnit.NANOSECONDS);
	}

	private void arrive() {
		Duration sinceBegin = PERIOD.multipliedBy(this.arrived.getAndIncrement());
		send(this.beginning.plus(sinceBegin), this.begin + sinceBegin.toNanos());
	}

	/**
	 * Begins to send.
	 * @param url what to get, {@value #PER_SECOND} times a second
	 * @param answeredBy names the instance that answered, from the body; never fails
	 * @return the running client
	 */
	public static SteadyClient start(String url, Function<String, String> answeredBy) {
		return new SteadyClient(HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build(), answeredBy);
	}

	private void send(Instant meant, long meantNanos) {
		this.waiting.incrementAndGet();
		CompletableFuture<?> unused = this.http.sendAsync(this.request, HttpResponse.BodyHandlers.ofString())
			.whenComplete((answer, error) -> {
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
	public List<Sample> samples() {
		return List.copyOf(this.samples);
	}

	/**
	 * Lets users come for a while.
	 * @param duration how long
	 * @return what was noted of those who came in that time
	 */
	public List<Sample> during(Duration duration) {
		Instant from = Instant.now();
		sleep(duration);
		return since(from);
	}

	private static void sleep(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What was noted of those who came from a moment on.
	 * @param from the moment
	 * @return the answers
	 */
	public List<Sample> since(Instant from) {
		return this.samples.stream().filter((sample) -> !sample.meant().isBefore(from)).toList();
	}

	/**
	 * Sends no more, and waits for what is on its way.
	 * @throws IllegalStateException when somebody is not answered within twice the time
	 * limit of a request
	 */
	public void finish() {
		if (this.arrivals.isDone()) {
			throw new IllegalStateException("the users have stopped coming before their time");
		}
		this.timer.shutdown();
		long end = System.nanoTime() + TIMEOUT.multipliedBy(2).toNanos();
		while (this.waiting.get() > 0) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException(this.waiting + " users were never answered");
			}
			sleep(Duration.ofMillis(10));
		}
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
	public record Sample(Instant meant, Duration latency, int status, String by) {

		/**
		 * Whether the user got anything but what was asked for.
		 * @return {@code true} unless the status is 200
		 */
		public boolean isError() {
			return this.status != 200;
		}

		/**
		 * When the last byte was there.
		 * @return the moment
		 */
		public Instant answered() {
			return this.meant.plus(this.latency);
		}

		/**
		 * The latency that a share of the users did not exceed.
		 * @param samples the users, at least one
		 * @param percent the share
		 * @return the latency
		 */
		public static Duration percentile(List<Sample> samples, double percent) {
			List<Duration> sorted = samples.stream().map(Sample::latency).sorted().toList();
			return sorted.get((int) Math.min(sorted.size() - 1, Math.ceil(sorted.size() * percent / 100) - 1));
		}

	}

}
