package dev.warmup.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Warms the client before anything is measured, and shows that it is warm: what it takes
 * to have a stub's answers, which come at once, does not fall any more.
 */
public final class ClientCheck {

	private static final Duration BATCH = Duration.ofMillis(250);

	private static final Duration SLOW = Duration.ofMillis(5);

	private static final int CROWD = 50;

	/** How many times as long it may take where p50 still falls. */
	private static final int PATIENCE = 5;

	private final Map<String, String> facts = new LinkedHashMap<>();

	private final List<String> notes = new ArrayList<>();

	private final long end;

	private final long lastEnd;

	private ClientCheck(Duration limit) {
		long begin = System.nanoTime();
		this.end = begin + limit.toNanos();
		this.lastEnd = begin + limit.multipliedBy(PATIENCE).toNanos();
	}

	/**
	 * Warms every way to send that the scenarios use: 50 users side by side, one user,
	 * and users at a steady rate. Blocks.
	 * @param journey what the users ask for, as the chat-service's catalog has it
	 * @param limit how long, some seconds; up to five times that on a machine so slow or
	 * busy that p50 still falls then
	 * @return the proof
	 * @throws IllegalStateException when p50 still falls at the end of all its time
	 */
	public static Proof warm(Journey journey, Duration limit) {
		ClientCheck check = new ClientCheck(limit);
		try (StubServer stub = StubServer.start();
				SteadyClient steady = SteadyClient.start(stub.base() + "/chat-service/rooms", (body) -> "stub")) {
			Browser browser = new Browser();
			// not asked for speed: so many wait for each other, whatever a client takes
			check.settle(CROWD + " users", 2, () -> check.crowd(browser, journey, stub, CROWD));
			check.needFast("1 user", check.settle("1 user", 2, () -> check.crowd(browser, journey, stub, 1)));
			String rate = SteadyClient.PER_SECOND + " users a second";
			check.needFast(rate, check.settle(rate, 1, () -> at(steady)));
			steady.finish();
			check.facts.put("client against a stub, a new connection each",
					new Series(List.of(Batch.of(browser.practise(journey)))).toString());
		}
		return new Proof(check.facts, check.notes.stream().distinct().toList());
	}

	private Optional<Batch> crowd(Browser browser, Journey journey, StubServer stub, int users) {
		Experience experience = Crowd.at(browser, journey, stub.base(), users, BATCH);
		if (experience.errors() > 0) {
			String problem = experience.visits()
				.stream()
				.flatMap((visit) -> visit.problem().map((text) -> visit.request() + ": " + text).stream())
				.findFirst()
				.orElseThrow();
			this.notes.add("The stub that warms the client did not answer as expected, such as " + problem);
		}
		return Optional.of(Batch.of(experience));
	}

	private static Optional<Batch> at(SteadyClient client) {
		return Optional.of(client.during(BATCH)).filter((samples) -> !samples.isEmpty()).map(Batch::of);
	}

	/**
	 * Sends batches until they settle, or until a share of the time that is left is over
	 * and at least p50 has settled.
	 */
	private Series settle(String name, int share, Supplier<Optional<Batch>> send) {
		long now = System.nanoTime();
		long until = now + (this.end - now) / share;
		List<Batch> batches = new ArrayList<>();
		Series reached = new Series(batches);
		while (!reached.isSettled() && System.nanoTime() - (reached.falls(Batch::p50) ? this.lastEnd : until) < 0) {
			send.get().ifPresent(batches::add);
			reached = new Series(batches);
		}
		if (reached.falls(Batch::p50)) {
			throw new IllegalStateException(
					"The client does not get warm: with %s, p50 still falls. Batches: %s".formatted(name, batches));
		}
		if (reached.falls(Batch::p99)) {
			this.notes.add("The client's p99 with %s still fell when its time was over.".formatted(name));
		}
		this.facts.put("client against a stub, " + name, reached.toString());
		return reached;
	}

	private void needFast(String name, Series reached) {
		if (reached.now().p99().compareTo(SLOW) >= 0) {
			this.notes.add("The client's own p99 with %s is not below 5 ms.".formatted(name));
		}
	}

	/**
	 * What the client takes by itself.
	 *
	 * @param facts p50 and p99 against the stub, for each way to send
	 * @param notes what was not as it should be
	 */
	public record Proof(Map<String, String> facts, List<String> notes) {

	}

}
