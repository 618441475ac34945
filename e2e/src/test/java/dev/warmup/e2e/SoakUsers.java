package dev.warmup.e2e;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;

/**
 * The users of a soak: a rate that rises and falls like a day's, with a night without
 * anybody; one who keeps a stream of messages open; and one who forges claims. Requests
 * go by turns through the gateways in rotation, as a load balancer before them would do.
 */
final class SoakUsers implements AutoCloseable {

	/** From one morning to the next. */
	static final Duration DAY = Duration.ofMinutes(20);

	/** At noon. */
	static final double MOST_PER_SECOND = 20;

	private static final Duration STEP = Duration.ofMillis(50);

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	/** Of the steps that send one forged claim. */
	private static final int FORGED_EVERY = 40;

	static final String BASIC = "Basic dXNlcjphLXVzZXJzLXBhc3N3b3Jk";

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);

	private final List<ScheduledFuture<?>> tasks;

	private final WarmupKey forger = WarmupKey.generate(Clock.systemUTC());

	private final Queue<Sample> errors = new ConcurrentLinkedQueue<>();

	private final AtomicLong answers = new AtomicLong();

	private final AtomicLong forged = new AtomicLong();

	private final AtomicLong streams = new AtomicLong();

	private final AtomicLong events = new AtomicLong();

	private final List<App> rotation;

	private final Instant morning = Instant.now();

	private final String bearer;

	private volatile String token = "";

	private double due;

	private long steps;

	private SoakUsers(List<App> gateways, String bearer) {
		this.rotation = new CopyOnWriteArrayList<>(gateways);
		this.bearer = bearer;
		this.token = bearer;
		this.tasks = List.of(this.timer.scheduleAtFixedRate(this::step, 0, STEP.toMillis(), TimeUnit.MILLISECONDS),
				this.timer.scheduleAtFixedRate(this::renewToken, 1, 1, TimeUnit.MINUTES));
		follow();
	}

	static SoakUsers start(List<App> gateways) {
		return new SoakUsers(gateways, token(gateways.get(0)));
	}

	private static String token(App gateway) {
		Answer answer = gateway.post("/vault/tokens");
		return (answer.status() == 201) ? answer.read("$.token") : "";
	}

	private void renewToken() {
		String renewed = token(this.rotation.get(0));
		this.token = renewed.isEmpty() ? this.token : renewed;
	}

	/** The rate of users at this time of the day. */
	double perSecond() {
		double day = (double) Duration.between(this.morning, Instant.now()).toMillis() / DAY.toMillis();
		return Math.max(0, MOST_PER_SECOND * (0.25 + 0.75 * Math.sin(2 * Math.PI * day)));
	}

	private void step() {
		this.due += perSecond() * STEP.toMillis() / 1000;
		for (; this.due >= 1; this.due--) {
			this.steps++;
			send();
		}
		if (this.forged.incrementAndGet() % FORGED_EVERY == 0) {
			forge();
		}
	}

	/** Each gateway gets each kind of request. */
	private void send() {
		App gateway = gateway(this.steps / 4);
		HttpRequest.Builder request = switch ((int) (this.steps % 4)) {
			case 0 -> to(gateway, "/accounts/mine").header("Authorization", BASIC);
			case 1 -> to(gateway, "/vault/secrets").header("Authorization", "Bearer " + this.token);
			default -> to(gateway, Stacks.ROOMS);
		};
		send(request.timeout(TIMEOUT).build());
	}

	private void forge() {
		App gateway = gateway(forged());
		String claim = this.forger.claim("127.0.0.1:" + gateway.port(), "gateway", SignedClaim.Scope.REPLAY, "forged")
			.format();
		send(to(gateway, Stacks.ROOMS).header("X-Warmup", claim).timeout(TIMEOUT).build());
	}

	/** By turns, while another thread may take one out. */
	private App gateway(long turn) {
		List<App> now = List.copyOf(this.rotation);
		return now.get((int) (turn % now.size()));
	}

	private static HttpRequest.Builder to(App gateway, String path) {
		return HttpRequest.newBuilder(URI.create(gateway.url(path)));
	}

	private void send(HttpRequest request) {
		Instant start = Instant.now();
		long nanos = System.nanoTime();
		CompletableFuture<?> unused = this.http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
			.whenComplete((answer, error) -> {
				this.answers.incrementAndGet();
				int status = (error != null) ? 0 : answer.statusCode();
				if (status != 200) {
					this.errors
						.add(new Sample(request.uri().toString(), start, Duration.ofNanos(System.nanoTime() - nanos),
								status, false, (error != null) ? error.toString() : ""));
				}
			});
	}

	/** Follows the messages of a room; after an end, those of another connection. */
	private void follow() {
		if (this.timer.isShutdown()) {
			return;
		}
		HttpRequest request = to(this.rotation.get(0), Stacks.ROOMS + "/1/messages/stream").build();
		this.streams.incrementAndGet();
		CompletableFuture<?> unused = this.http.sendAsync(request, HttpResponse.BodyHandlers.ofLines())
			.thenAccept((answer) -> {
				try (Stream<String> lines = answer.body()) {
					lines.forEach((line) -> this.events.incrementAndGet());
				}
			})
			.whenComplete(
					(done, error) -> CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(this::follow));
	}

	/** Sends no more users to a gateway, until it is put back. */
	void takeOut(App gateway) {
		this.rotation.remove(gateway);
	}

	void putBack(App gateway) {
		this.rotation.add(gateway);
	}

	/** Whether an error has ended what should be repeated forever. */
	boolean haveStopped() {
		return this.tasks.stream().anyMatch(ScheduledFuture::isDone);
	}

	/** The answers that were not as expected. */
	List<Sample> errors() {
		return new ArrayList<>(this.errors);
	}

	long answers() {
		return this.answers.get();
	}

	long forged() {
		return this.forged.get() / FORGED_EVERY;
	}

	long streams() {
		return this.streams.get();
	}

	long events() {
		return this.events.get();
	}

	/** What must not appear in any log. */
	String secret() {
		return this.bearer;
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
