package dev.warmup.e2e;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One fault of the campaign, under 20 users a second at one gateway: what they met, the
 * verdict, and the time to recover become a row of {@code target/e2e/faults.md}. Closing
 * it sees to it that all users met what the test expects, that the gateways hold no
 * permit of the warm-up any more, and that heap and threads of processes that have lived
 * through it are about as before.
 */
final class Fault implements AutoCloseable {

	private static final Path ROWS = Path.of("target", "e2e", "faults.md");

	private static final int PER_SECOND = 20;

	/**
	 * Longer than a gateway waits for an instance that holds permits and answers nothing.
	 */
	private static final Duration PERMITS = Duration.ofSeconds(90);

	private static final int MORE_THREADS = 30;

	private static final double MORE_HEAP = 30e6;

	private final Map<App, Jvm> before = new LinkedHashMap<>();

	private final String name;

	private final Stack stack;

	private final Users users;

	private Instant begin = Instant.now();

	private Duration recovery = Duration.ZERO;

	private String verdict = "";

	private boolean judged;

	private Consumer<List<Sample>> expectation = (samples) -> {
	};

	Fault(String name, Stack stack, String url, Function<HttpResponse<String>, String> instance) {
		this.name = name;
		this.stack = stack;
		List.of(stack.gateways(), stack.services())
			.forEach((apps) -> apps.stream().filter(App::isAlive).forEach((app) -> this.before.put(app, Jvm.of(app))));
		this.users = new Users(url, PER_SECOND, instance);
		this.users.during(Duration.ofSeconds(3));
	}

	/** Lets users come to the first gateway. */
	static Fault of(String name, Stack stack) {
		return of(name, stack, stack.gateway());
	}

	static Fault of(String name, Stack stack, App gateway) {
		return new Fault(name, stack, gateway.url(Stacks.ROOMS), (answer) -> Marks.find(answer.body()));
	}

	/** Lets users come to another path, whose answer is the name of the instance. */
	static Fault of(String name, Stack stack, String path) {
		return new Fault(name, stack, stack.gateway().url(path), HttpResponse::body);
	}

	/** From now on the time to recover is counted. */
	Fault begins() {
		this.begin = Instant.now();
		return this;
	}

	/** Waits until all is well again, and notes how long that took. */
	void recovers(BooleanSupplier well) {
		await().atMost(Stacks.SOON).ignoreExceptions().until(well::getAsBoolean);
		this.recovery = Duration.between(this.begin, Instant.now());
	}

	Duration recovery() {
		return this.recovery;
	}

	/** Notes what the run, or the fault, came to. */
	void verdict(String what) {
		this.verdict = what;
	}

	/** Notes the newest verdict of a service that has ended its first run. */
	void verdictOf(App service) {
		verdict(Stacks.verdicts(service, "STARTUP").get(0) + ", gate "
				+ service.get(Stacks.WARMUP).<String>read("$.gate"));
	}

	Users users() {
		return this.users;
	}

	/** All users get what they ask for, until this is closed. */
	void noErrors() {
		noErrorsSoFar();
		this.expectation = Fault::assertAnswered;
	}

	/** All users so far got what they asked for. */
	void noErrorsSoFar() {
		assertAnswered(this.users.since(Instant.MIN));
		this.judged = true;
	}

	private static void assertAnswered(List<Sample> samples) {
		assertThat(samples).isNotEmpty().allMatch(Sample::expected);
	}

	/** Users meet errors only from the fault's begin on, and for so long. */
	void errorsFor(Duration limit) {
		errorsBetween(this.begin.minusSeconds(1), this.begin.plus(limit));
	}

	/** Users meet errors only from then on, and until then. */
	void errorsBetween(Instant from, Instant until) {
		this.expectation = (samples) -> assertThat(samples).filteredOn((sample) -> !sample.expected())
			.allSatisfy((error) -> assertThat(error.start()).isBetween(from, until));
		this.expectation.accept(this.users.since(Instant.MIN));
		this.judged = true;
	}

	@Override
	public void close() {
		try (this.users) {
			if (!this.judged) {
				return; // the test has failed
			}
			this.users.during(Duration.ofSeconds(3));
			List<Sample> samples = this.users.finish();
			this.expectation.accept(samples);
			Summary met = Summary.of(samples);
			Figures.append(ROWS, String.format(Locale.ROOT, "| %s | %d | %d | %d ms | %s | %.1f s |%n", this.name,
					met.count(), met.errors(), met.slowest().toMillis(), this.verdict, this.recovery.toMillis() / 1e3));
			this.stack.gateways()
				.stream()
				.filter(App::isAlive)
				.forEach((gateway) -> await().atMost(PERMITS)
					.untilAsserted(() -> assertThat(Jvm.of(gateway).permits()).as("permits").isZero()));
			this.before.forEach(Fault::assertAsBefore);
		}
	}

	private static void assertAsBefore(App app, Jvm before) {
		if (!app.isAlive() || app.pid() != before.pid()) {
			return;
		}
		await().atMost(Stacks.SOON).untilAsserted(() -> {
			Jvm after = Jvm.of(app);
			assertThat(after.threads()).as("threads of %s", app).isLessThan(before.threads() + MORE_THREADS);
			assertThat(after.heap()).as("heap of %s", app).isLessThan(before.heap() + MORE_HEAP);
		});
	}

}
