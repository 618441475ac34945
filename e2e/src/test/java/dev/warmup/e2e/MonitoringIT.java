package dev.warmup.e2e;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the dashboard and the alerts ask for is what running services publish, once users
 * were there.
 */
class MonitoringIT {

	private static final int USERS = 120; // the gateway compares the first 100 with the
											// run

	private static Stack stack;

	private static Map<String, Integer> ports;

	private static Scrape scrape;

	@BeforeAll
	static void start() {
		stack = Stacks.named("monitoring",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "5", "WARMUP_STARTUP_BUDGET", "100s"));
		Outcome up = stack.run("up", "--detach");
		assertThat(up.exitCode()).as(up.output()).isZero();
		IntStream.range(0, USERS).forEach((i) -> assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200));
		ports = Map.of("eureka-server", stack.eurekaPort(), "gateway", stack.gatewayPort(), "chat-service",
				stack.status().get("chat-service-1").port());
		scrape = new Scrape(ports.values().stream().map(MonitoringIT::scrape).toList());
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	private static String scrape(int port) {
		Answer answer = Answer.to("GET", "http://127.0.0.1:" + port + "/actuator/prometheus");
		assertThat(answer.status()).isEqualTo(200);
		return answer.body();
	}

	static List<Monitoring.Expression> expressions() {
		return Monitoring.expressions();
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void servicesPublishWhatIsAskedFor(Monitoring.Expression expression) {
		assertThat(scrape.missing(PromQl.of(expression.promQl()))).as(expression.promQl()).isEmpty();
	}

	@Test
	void jobsAreTheServicesUnderTheirOwnNames() {
		assertThat(Monitoring.yaml("prometheus.yml").path("scrape_configs").valueStream())
			.allSatisfy((job) -> assertThat(job.at("/dns_sd_configs/0/names/0")).isEqualTo(job.path("job_name")))
			.extracting((job) -> job.path("job_name").asString())
			.containsExactlyInAnyOrderElementsOf(ports.keySet());
	}

	@Test
	void prometheusUnderstandsEachExpressionAndFindsItsSeries() {
		assumeTrue(Prometheus.isInstalled("prometheus"),
				"prometheus is not on the PATH: only the names were checked, not the expressions themselves");
		try (Prometheus prometheus = Prometheus.start(ports)) {
			prometheus.awaitScrapes();
			assertThat(expressions()).allSatisfy((expression) -> assertThat(prometheus.query(expression.promQl()))
				.satisfies((answer) -> assertThat(answer.status()).as(answer.body()).isEqualTo(200)));
			assertThat(selectors())
				.allSatisfy((selector) -> assertThat(prometheus.query(selector).<List<Object>>read("$.data.result"))
					.as(selector)
					.isNotEmpty());
			assertThat(prometheus.get("/api/v1/rules").<List<String>>read("$.data.groups[*].rules[*].health"))
				.hasSize(Monitoring.yaml("alerts.yml").at("/groups/0/rules").size())
				.containsOnly("ok");
		}
	}

	private static Stream<String> selectors() {
		return expressions().stream()
			.flatMap((expression) -> PromQl.of(expression.promQl()).selectors().stream())
			.map(PromQl.Selector::text)
			.distinct();
	}

}
