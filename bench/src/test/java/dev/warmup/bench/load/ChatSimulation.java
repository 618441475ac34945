package dev.warmup.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Users of the chat who all come right after a deploy, each on a connection of its own,
 * and make the {@link Journey} once. Passes when no request fails, every user reaches the
 * end, and 99 % of the answers take less than a second. Parameters, as system properties:
 * {@code users} (100), {@code over} in seconds (0, all at once) and {@code base-url}
 * ({@code http://localhost:8000}).
 */
public final class ChatSimulation extends Simulation {

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(800);

	/** Gatling instantiates it. */
	public ChatSimulation() {
		int users = Integer.getInteger("users", 100);
		int seconds = Integer.getInteger("over", 0);
		setUp(scenario("chat").exec(journey())
			.injectOpen((seconds == 0) ? atOnceUsers(users) : rampUsers(users).during(seconds)))
			.protocols(http.baseUrl(System.getProperty("base-url", "http://localhost:8000"))
				.disableFollowRedirect()
				.disableWarmUp()) // it would request a public web site
			.assertions(global().failedRequests().count().is(0L),
					global().allRequests().count().is((long) users * Journey.REQUESTS.size()),
					global().responseTime().percentile(99).lt(1000));
	}

	private static ChainBuilder journey() {
		List<ChainBuilder> steps = new ArrayList<>();
		for (Journey.Request request : Journey.REQUESTS) {
			if (request.captures().containsKey("user")) {
				steps.add(exec((session) -> session.set("email", UUID.randomUUID() + "@load.invalid")));
			}
			steps.add(exec(action(request)).pause(SHORTEST_PAUSE, LONGEST_PAUSE));
		}
		return exec((session) -> session).exitBlockOnFail().on(exec(steps));
	}

	private static HttpRequestActionBuilder action(Journey.Request request) {
		HttpRequestActionBuilder action = http(request.name())
			.httpRequest(request.method(), "/chat-service" + request.path())
			.header("Accept", request.accept())
			.check(status().is(request.status()));
		for (Map.Entry<String, String> capture : request.captures().entrySet()) {
			action = action.check(jsonPath(capture.getValue()).saveAs(capture.getKey()));
		}
		return request.body().isEmpty() ? action
				: action.header("Content-Type", "application/json").body(StringBody(request.body()));
	}

}
