package dev.warmup.gatling;

import java.time.Duration;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

/**
 * The users of a chat who have waited for a deploy: they come all at once, each with a
 * connection of their own, and walk through the chat once. They come however slow the
 * answers are, and whoever is slow is met by all of them. It passes when nothing failed,
 * everybody came to the end, and of a hundred answers 99 took less than a second.
 */
public final class ChatSimulation extends Simulation {

	private static final Duration SLOWEST = Duration.ofSeconds(1);

	/**
	 * Made by Gatling, which runs what is set up here.
	 * @throws IllegalArgumentException when a parameter cannot be used
	 */
	public ChatSimulation() {
		Parameters parameters = Parameters.from(System::getProperty);
		setUp(scenario("chat").exec(Journey.walk()).injectOpen(arrival(parameters)))
			.protocols(gateway(parameters.baseUrl()))
			.assertions(global().failedRequests().count().is(0L),
					global().allRequests().count().is((long) parameters.users() * Journey.length()),
					global().responseTime().percentile(99).lt((int) SLOWEST.toMillis()));
	}

	private static OpenInjectionStep arrival(Parameters parameters) {
		return parameters.over().isZero() ? atOnceUsers(parameters.users())
				: rampUsers(parameters.users()).during(parameters.over());
	}

	private static HttpProtocolBuilder gateway(String baseUrl) {
		return http.baseUrl(baseUrl)
			.acceptHeader("application/json")
			.userAgentHeader("gatling")
			.disableFollowRedirect()
			// that would ask a web site that is no part of this
			.disableWarmUp();
	}

}
