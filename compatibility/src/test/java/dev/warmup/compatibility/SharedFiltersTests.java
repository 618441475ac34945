package dev.warmup.compatibility;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.warmup.protocol.WarmupToken;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.event.RefreshRoutesEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warm-up through circuit breakers, limits and retries that users share, with users
 * beside. Each test has a route of its own, and so a breaker.
 */
class SharedFiltersTests {

	private static final List<String> ROUTES = List.of("slow", "broken", "flaky", "spent", "rehearsed", "listed");

	private static final String TOKEN = "a-token-of-the-tests";

	private static final WireMockServer SERVICE = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		SERVICE.start();
		SERVICE.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		SERVICE.stubFor(WireMock.get("/slow").willReturn(WireMock.ok("late").withFixedDelay(1300)));
		SERVICE.stubFor(WireMock.get("/broken").willReturn(WireMock.serverError().withBody("broken")));
		gateway = RunningApplication.gateway(CodedGateway.class,
				Stream.of(SharingGateway.PROPERTIES.stream(), routes(), instances())
					.flatMap((part) -> part)
					.toArray(String[]::new));
	}

	private static Stream<String> routes() {
		return IntStream.range(0, ROUTES.size()).boxed().flatMap((i) -> SharingGateway.route(i, ROUTES.get(i)));
	}

	private static Stream<String> instances() {
		return Stream.concat(
				Stream.of("eureka.client.enabled=false",
						"spring.cloud.loadbalancer.eager-load.clients=added," + String.join(",", ROUTES)),
				Stream.concat(ROUTES.stream(), Stream.of("added")).flatMap((service) -> {
					String instance = "spring.cloud.discovery.client.simple.instances." + service + "[0].";
					return Stream.of(instance + "uri=" + SERVICE.baseUrl(), instance + "instance-id=" + service + "-1",
							instance + "metadata." + WarmupToken.METADATA_KEY + "=" + WarmupToken.of(TOKEN).sha256());
				}));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		SERVICE.stop();
	}

	@Test
	void slowWarmupIsNotCutShortAndOpensNoBreaker() {
		for (int i = 1; i <= SharingGateway.WINDOW + 1; i++) {
			assertThat(warm("slow").body()).isEqualTo("late");
		}
		assertThat(breaker("slow").getMetrics().getNumberOfBufferedCalls()).isZero();
		assertThat(breaker("slow").getState()).isEqualTo(CircuitBreaker.State.CLOSED);

		for (int i = 1; i <= SharingGateway.WINDOW; i++) {
			assertThat(use("slow", "slow-user").body()).isEqualTo(SharingGateway.FALLBACK);
		}
		assertThat(breaker("slow").getState()).isEqualTo(CircuitBreaker.State.OPEN);
		assertThat(warm("slow").body()).isEqualTo("late");
	}

	@Test
	void failingWarmupIsNeitherRetriedNorAnsweredByTheFallback() {
		for (int i = 1; i <= SharingGateway.WINDOW + 1; i++) {
			HttpResponse<String> answer = warm("broken");
			assertThat(answer.statusCode()).isEqualTo(500);
			assertThat(answer.body()).isEqualTo("broken");
			SERVICE.verify(i, WireMock.getRequestedFor(WireMock.urlEqualTo("/broken")));
		}
		assertThat(breaker("broken").getMetrics().getNumberOfBufferedCalls()).isZero();

		for (int i = 1; i <= SharingGateway.WINDOW; i++) {
			assertThat(use("broken", "broken-user").body()).isEqualTo(SharingGateway.FALLBACK);
		}
		SERVICE.verify(SharingGateway.WINDOW + 1 + 2 * SharingGateway.WINDOW,
				WireMock.getRequestedFor(WireMock.urlEqualTo("/broken")));
		assertThat(breaker("broken").getState()).isEqualTo(CircuitBreaker.State.OPEN);
		assertThat(use("broken", "broken-user").body()).isEqualTo(SharingGateway.FALLBACK);
		SERVICE.verify(SharingGateway.WINDOW + 1 + 2 * SharingGateway.WINDOW,
				WireMock.getRequestedFor(WireMock.urlEqualTo("/broken")));
	}

	@Test
	void usersAreRetriedBesideWarmup() {
		SERVICE.stubFor(failingOnce("warm-up"));
		SERVICE.stubFor(failingOnce("user"));
		assertThat(warm("flaky").statusCode()).isEqualTo(500);
		SERVICE.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/flaky")));
		assertThat(use("flaky", "user").body()).isEqualTo("fine");
		SERVICE.verify(3, WireMock.getRequestedFor(WireMock.urlEqualTo("/flaky")));
		assertThat(breaker("flaky").getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(1);
	}

	private static MappingBuilder failingOnce(String who) {
		return WireMock.get("/flaky")
			.withHeader(SharingGateway.USER, WireMock.equalTo(who))
			.inScenario(who)
			.whenScenarioStateIs(Scenario.STARTED)
			.willSetStateTo("recovered")
			.willReturn(WireMock.serverError());
	}

	@Test
	void warmupSpendsNobodysLimitAndMeetsNone() {
		for (int i = 1; i <= Permits.EACH + 1; i++) {
			HttpResponse<String> answer = warm("spent");
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.headers().map()).doesNotContainKey("x-spent");
		}
		assertThat(gateway.bean(Permits.class).spent()).doesNotContainKey("warm-up");
		for (int i = 1; i <= Permits.EACH; i++) {
			HttpResponse<String> answer = use("spent", "keen-user");
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.headers().firstValue("X-Spent")).hasValue(String.valueOf(i));
		}
		assertThat(use("spent", "keen-user").statusCode()).isEqualTo(429);
		assertThat(send("spent", "keen-user", claim("spent")).statusCode()).isEqualTo(200);
		assertThat(gateway.bean(Permits.class).spent()).containsEntry("keen-user", Permits.EACH + 1);
	}

	@Test
	void whoOnlyClaimsToWarmUpIsLimitedAsAUser() {
		assertThat(send("spent", "impostor", "true").headers().firstValue("X-Spent")).hasValue("1");
		assertThat(send("spent", "impostor", "instance=spent-1").headers().firstValue("X-Spent")).hasValue("2");
	}

	@Test
	void classesOfBreakerAndLimitAreLoadedWithoutUsers() {
		warm("rehearsed");
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			CircuitBreaker.Metrics rehearsal = breaker("warmup").getMetrics();
			assertThat(rehearsal.getNumberOfSuccessfulCalls()).isEqualTo(1);
			assertThat(rehearsal.getNumberOfFailedCalls()).isEqualTo(1);
			assertThat(gateway.bean(Permits.class).spent()).containsEntry("dev.warmup.rehearsal", 1);
		});
		assertThat(breaker("rehearsed").getMetrics().getNumberOfBufferedCalls()).isZero();
	}

	@Test
	void operatorsSeeTheFiltersOfARouteAsBefore() {
		assertThat(gateway.json("/actuator/gateway/routes/listed").path("filters").valueStream())
			.anySatisfy((filter) -> assertThat(filter.asString()).startsWith("[[SpringCloudCircuitBreaker")
				.endsWith("order = 2]"))
			.anySatisfy((filter) -> assertThat(filter.asString()).startsWith("[[Retry ").endsWith("order = 3]"))
			.anySatisfy((filter) -> assertThat(filter.asString()).contains("RequestRateLimiter").endsWith("order = 1]"))
			.anySatisfy((filter) -> assertThat(filter.asString()).startsWith("[[StripPrefix "));
	}

	@Test
	void routesOfCodeArePassedTooAndMayComeLater() {
		assertThat(use("added", "late-user").statusCode()).isEqualTo(404);
		gateway.bean(CodedGateway.class).add();
		gateway.publish(new RefreshRoutesEvent(this));
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> warm("added").statusCode() == 200);
		assertThat(breaker("by-code").getMetrics().getNumberOfBufferedCalls()).isZero();
		assertThat(use("added", "late-user").statusCode()).isEqualTo(200);
		assertThat(breaker("by-code").getMetrics().getNumberOfBufferedCalls()).isEqualTo(1);
	}

	private static CircuitBreaker breaker(String id) {
		return gateway.bean(CircuitBreakerRegistry.class).circuitBreaker(id);
	}

	private static HttpResponse<String> warm(String service) {
		return send(service, "warm-up", claim(service));
	}

	private static HttpResponse<String> use(String service, String user) {
		return gateway.get(path(service), SharingGateway.USER, user);
	}

	private static HttpResponse<String> send(String service, String user, String claim) {
		return gateway.get(path(service), SharingGateway.USER, user, "X-Warmup", claim);
	}

	private static String claim(String service) {
		return "instance=" + service + "-1; token=" + TOKEN + "; run=run-1";
	}

	private static String path(String service) {
		return "/" + service + "/" + service;
	}

}
