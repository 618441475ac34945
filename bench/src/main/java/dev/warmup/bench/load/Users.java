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

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;

/**
 * Users who arrive at a constant rate, however slow the answers are (an open model), each
 * with one GET request. Latency counts from the moment a request was due, so that a stall
 * shows in the latency of everybody who arrived during it.
 */
public final class Users implements AutoCloseable {

	/** For the timer's thread to start. */
	private static final Duration LEAD = Duration.ofMillis(100);

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private final HttpClient http = Answer.client();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "users");
		thread.setDaemon(true);
		return thread;
	});

	private final Queue<CompletableFuture<Sample>> samples = new ConcurrentLinkedQueue<>();

	private final AtomicInteger arrived = new AtomicInteger();

	private final HttpRequest request;

	private final Duration period;

	private final Function<HttpResponse<String>, String> instance;

	private final Future<?> arrivals;

	private final Instant beginning;

	private final long beginningNanos;

	/**
	 * Starts the arrivals.
	 * @param url the absolute URL each user requests; status 200 is expected
	 * @param instance names the instance that answered; must not throw
	 */
	public Users(String url, int perSecond, Function<HttpResponse<String>, String> instance) {
		this.request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build();
		this.period = Duration.ofSeconds(1).dividedBy(perSecond);
		this.instance = instance;
		this.beginning = Instant.now().plus(LEAD);
		this.beginningNanos = System.nanoTime() + LEAD.toNanos();
		this.arrivals = this.timer.scheduleAtFixedRate(this::arrive, LEAD.toNanos(), this.period.toNanos(),
				TimeUnit.NANOSECONDS);
	}

	private void arrive() {
		Duration due = this.period.multipliedBy(this.arrived.getAndIncrement());
		Instant start = this.beginning.plus(due);
		long startNanos = this.beginningNanos + due.toNanos();
		this.samples
			.add(this.http.sendAsync(this.request, HttpResponse.BodyHandlers.ofString()).handle((answer, error) -> {
				Duration latency = Duration.ofNanos(System.nanoTime() - startNanos);
				String path = this.request.uri().getPath();
				return (error != null) ? new Sample(path, start, latency, 0, false, String.valueOf(error.getMessage()))
						: new Sample(path, start, latency, answer.statusCode(), answer.statusCode() == 200,
								this.instance.apply(answer));
			}));
	}

	/** Lets users arrive for some time, and returns their answers so far. Blocks. */
	public List<Sample> during(Duration duration) {
		Instant from = Instant.now();
		App.sleep(duration);
		return since(from);
	}

	/** The answers, so far, of those who arrived from a moment on. */
	public List<Sample> since(Instant from) {
		return this.samples.stream()
			.filter(CompletableFuture::isDone)
			.map(CompletableFuture::join)
			.filter((sample) -> !sample.start().isBefore(from))
			.toList();
	}

	/**
	 * Ends the arrivals, waits for the answers under way, and returns all in the order in
	 * which users arrived. Blocks.
	 */
	public List<Sample> finish() {
		if (this.arrivals.isDone()) {
			throw new IllegalStateException("the arrivals ended early");
		}
		this.timer.shutdown();
		CompletableFuture.allOf(this.samples.toArray(CompletableFuture<?>[]::new))
			.orTimeout(TIMEOUT.multipliedBy(2).toNanos(), TimeUnit.NANOSECONDS)
			.join();
		return since(Instant.MIN);
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
