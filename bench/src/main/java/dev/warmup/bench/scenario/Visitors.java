package dev.warmup.bench.scenario;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Crowd;
import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.load.Visit;
import dev.warmup.bench.stack.Stack;

/** Users of the chat, who enter at the gateway and ask for what the catalog names. */
final class Visitors {

	private static final int CONNECTIONS = 8;

	private final Browser browser = new Browser();

	private final Journey journey;

	/**
	 * Reads the catalog.
	 * @param site where it is
	 */
	Visitors(Site site) {
		this.journey = Journey.through(site.root().resolve("chat-service/src/main/resources/warmup-requests.yml"),
				"chat-service");
	}

	/**
	 * The kinds of request.
	 * @return their names
	 */
	List<String> requests() {
		return this.journey.requests();
	}

	/**
	 * Lets 8 users at once walk through the catalog again and again. Blocks.
	 * @param stack where
	 * @param duration how long
	 * @return what they saw
	 */
	Experience crowd(Stack stack, Duration duration) {
		return Crowd.at(this.browser, this.journey, gateway(stack), CONNECTIONS, duration);
	}

	/**
	 * Lets one user, on a connection of its own, walk through the catalog. Blocks.
	 * @param stack where
	 * @param least how many requests to make at least; each walk is ended
	 * @return what the user saw
	 */
	Experience alone(Stack stack, int least) {
		Browser user = Browser.practised(this.journey);
		List<Visit> visits = new ArrayList<>();
		long begin = System.nanoTime();
		while (visits.size() < least) {
			int before = visits.size();
			this.journey.walk(user, gateway(stack), visits::add);
			if (visits.size() == before) {
				throw new IllegalStateException("the catalog has no request to begin with");
			}
		}
		return new Experience(begin, visits);
	}

	private static URI gateway(Stack stack) {
		return URI.create(stack.gateway(""));
	}

}
