package dev.warmup.e2e;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Users at a steady rate. Closing it asserts that all of them got what they asked for,
 * except while the test has allowed errors.
 */
final class Traffic implements AutoCloseable {

	private static final int PER_SECOND = 20;

	private final Users users;

	private Instant errorsFrom = Instant.MAX;

	private Instant errorsUntil = Instant.MAX;

	private Traffic(String url, int perSecond, Function<HttpResponse<String>, String> instance) {
		this.users = new Users(url, perSecond, instance);
		this.users.during(Duration.ofSeconds(2));
	}

	/** Users of chat-service at the first gateway; a mark names the instance. */
	static Traffic of(Stack stack) {
		return at(stack.gateway());
	}

	/** Users of chat-service at a gateway. */
	static Traffic at(App gateway) {
		return new Traffic(gateway.url(Stacks.ROOMS), PER_SECOND, (answer) -> Marks.find(answer.body()));
	}

	/** Users of another path, whose answer names the instance. */
	static Traffic at(App gateway, String path, int perSecond) {
		return new Traffic(gateway.url(path), perSecond, HttpResponse::body);
	}

	List<Sample> during(Duration duration) {
		return this.users.during(duration);
	}

	List<Sample> since(Instant from) {
		return this.users.since(from);
	}

	/** Whether the users of three seconds reach that instance, among others. */
	boolean reaches(String instance) {
		return during(Duration.ofSeconds(3)).stream()
			.anyMatch((sample) -> sample.expected() && sample.instance().equals(instance));
	}

	/** Whether the users of three seconds are all answered. */
	boolean isCalm() {
		List<Sample> samples = during(Duration.ofSeconds(3));
		return !samples.isEmpty() && samples.stream().allMatch(Sample::expected);
	}

	void awaitReaches(String instance) {
		await().atMost(Stacks.SOON).until(() -> reaches(instance));
	}

	/** From now on users may meet errors, until something is well again. */
	void errorsUntil(BooleanSupplier well) {
		Instant from = Instant.now().minusSeconds(1);
		await().atMost(Stacks.SOON).ignoreExceptions().until(() -> well.getAsBoolean() && isCalm());
		errorsBetween(from, Instant.now());
	}

	/** Users who arrive in that time may meet errors. */
	void errorsBetween(Instant from, Instant until) {
		this.errorsFrom = from;
		this.errorsUntil = until;
	}

	@Override
	public void close() {
		try (this.users) {
			this.users.during(Duration.ofSeconds(3));
			List<Sample> samples = this.users.finish();
			assertThat(samples).isNotEmpty();
			List<Sample> errors = samples.stream()
				.filter((sample) -> !sample.expected()
						&& (sample.start().isBefore(this.errorsFrom) || sample.start().isAfter(this.errorsUntil)))
				.toList();
			assertThat(errors.stream().limit(10)).as("%d errors of %d users", errors.size(), samples.size()).isEmpty();
		}
	}

}
