package dev.warmup.bench.scenario;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.load.Visit;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;

/** Users one after the other, over one connection: the first ones, or many. */
final class Users {

	/** How many are the first ones. */
	static final int FIRST = 100;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private Users() {
	}

	/**
	 * What users ask for: all that the service's catalog names.
	 * @param site where the catalog is
	 * @return the journey through the gateway
	 */
	static Journey journey(Site site) {
		return Journey.through(site.root().resolve("chat-service/src/main/resources/warmup-requests.yml"),
				"chat-service");
	}

	/**
	 * Lets the first users come.
	 * @param browser what they use
	 * @param journey what they ask for, each request of it at least once
	 * @param base where
	 * @return their visits: {@value #FIRST}, or fewer when these took more than a minute
	 */
	static Experience first(Browser browser, Journey journey, URI base) {
		return firstOf(walk(browser, journey, base, (visits, walks) -> visits < FIRST));
	}

	/**
	 * Takes the first ones only.
	 * @param all more than that
	 * @return {@value #FIRST} of them at most
	 */
	static Experience firstOf(Experience all) {
		return new Experience(all.begin(), all.visits().stream().limit(FIRST).toList());
	}

	/**
	 * Lets users come to what is warm.
	 * @param browser what they use
	 * @param journey what they ask for
	 * @param base where
	 * @param walks how often they ask for each request of it
	 * @return all their visits, fewer when these took more than a minute
	 */
	static Experience many(Browser browser, Journey journey, URI base, int walks) {
		return walk(browser, journey, base, (visits, done) -> done < walks);
	}

	private static Experience walk(Browser browser, Journey journey, URI base, BiPredicate<Integer, Integer> goOn) {
		List<Visit> visits = new ArrayList<>();
		long begin = System.nanoTime();
		for (int walks = 0; goOn.test(visits.size(), walks)
				&& System.nanoTime() - begin < PATIENCE.toNanos(); walks++) {
			journey.walk(browser, base, visits::add);
		}
		return new Experience(begin, visits);
	}

	/**
	 * What the first user of a kind saw who was answered as expected: an error may be
	 * quick, and is counted elsewhere.
	 * @param ofKind all visits of that kind
	 * @return the latency; empty when nobody was answered as expected
	 */
	static Optional<Duration> firstAnswer(Experience ofKind) {
		return ofKind.visits().stream().filter((visit) -> visit.problem().isEmpty()).findFirst().map(Visit::latency);
	}

	/**
	 * What half of the users of a kind saw.
	 * @param ofKind all visits of that kind
	 * @return the median; empty when nobody came
	 */
	static Optional<Duration> median(Experience ofKind) {
		return ofKind.visits().isEmpty() ? Optional.empty() : Optional.of(ofKind.percentile(50));
	}

	/**
	 * Records what users saw of each kind of request, and of all together.
	 * @param users what they saw
	 * @param journey names the kinds
	 * @param latency what counts of a kind; noted when it is empty
	 * @param part the part
	 * @param recorder takes the figures
	 */
	static void record(Experience users, Journey journey, Function<Experience, Optional<Duration>> latency, String part,
			Recorder recorder) {
		for (String request : journey.requests()) {
			latency.apply(users.of(request))
				.ifPresentOrElse((value) -> recorder.latency(part, request, value),
						() -> recorder.note("No user was answered as expected (%s): %s.".formatted(part, request)));
		}
		recorder.latency(part, "p50 of 100", users.percentile(50));
		recorder.latency(part, "p99 of 100", users.percentile(99));
		recordErrors(users, part, recorder);
	}

	/**
	 * Records how many were not answered as expected, and notes what they saw instead.
	 * @param users what they saw
	 * @param part the part
	 * @param recorder takes the figure
	 */
	static void recordErrors(Experience users, String part, Recorder recorder) {
		recorder.record(part, "errors", Unit.COUNT, (double) users.errors());
		users.visits()
			.stream()
			.flatMap((visit) -> visit.problem()
				.map((problem) -> "Users met an error (%s): %s: %s.".formatted(part, visit.request(), problem))
				.stream())
			.distinct()
			.limit(5)
			.forEach(recorder::note);
	}

}
