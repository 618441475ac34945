package dev.warmup.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real gateway that admits two warm-up requests, in front of a service that is slow.
 */
@Timeout(120)
class AdmissionOverHttpTests {

	/** One claimant gets all permits but one. */
	private static final String CLAIM = Claims.replay("slow-1", "run-1");

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private static HeldService service;

	private static RunningApplication gateway;

	private static Admission admission;

	@BeforeAll
	static void start() throws IOException {
		service = new HeldService();
		String instance = "spring.cloud.discovery.client.simple.instances.slow[0].";
		String route = "spring.cloud.gateway.server.webflux.routes[";
		gateway = RunningApplication.gateway(Gateway.class, "spring.application.name=gateway",
				"warmup.admission.max-concurrent=3", RunningApplication.EAGER + "slow",
				instance + "uri=" + service.address(), instance + "instance-id=slow-1",
				instance + "metadata.warmup-jwk=" + Claims.jwk("slow-1"), route + "0].id=limited",
				route + "0].uri=lb://slow", route + "0].predicates[0]=Path=/limited/**",
				route + "0].filters[0]=StripPrefix=1", route + "0].metadata.response-timeout=100", route + "1].id=slow",
				route + "1].uri=lb://slow", route + "1].predicates[0]=Path=/**");
		admission = gateway.bean(Admission.class);
	}

	@AfterEach
	void releaseAll() {
		service.release();
		awaitInFlight(0);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		service.close();
	}

	@Test
	void warmupBeyondThePermitsIsDeferredAndUsersAreNot() {
		long deferred = gateway.count("warmup.claims", "outcome:deferred");
		CompletableFuture<HttpResponse<String>> first = warmup("/held");
		CompletableFuture<HttpResponse<String>> second = warmup("/held");
		awaitInFlight(2);
		HttpResponse<String> third = gateway.get("/fast", "X-Warmup", CLAIM);
		assertThat(third.statusCode()).isEqualTo(429);
		assertThat(third.headers().firstValue("Retry-After")).hasValue("1");
		assertThat(gateway.get("/fast").statusCode()).isEqualTo(200);
		assertThat(gateway.count("warmup.claims", "outcome:deferred")).isEqualTo(deferred + 1);
		service.release();
		assertThat(first.join().statusCode()).isEqualTo(200);
		assertThat(second.join().statusCode()).isEqualTo(200);
		awaitInFlight(0);
		assertThat(gateway.get("/fast", "X-Warmup", CLAIM).statusCode()).isEqualTo(200);
	}

	@Test
	void permitIsReleasedWhenTheClientDisconnects() {
		CompletableFuture<HttpResponse<String>> first = warmup("/held");
		warmup("/held");
		awaitInFlight(2);
		first.cancel(true);
		awaitInFlight(1);
	}

	@Test
	void permitIsReleasedWhenTheGatewayTimesOut() {
		assertThat(gateway.get("/limited/held", "X-Warmup", CLAIM).statusCode()).isEqualTo(504);
		awaitInFlight(0);
	}

	@Test
	void permitIsHeldToTheLastByte() {
		CompletableFuture<HttpResponse<String>> stream = warmup("/stream");
		awaitInFlight(1);
		CompletableFuture<HttpResponse<InputStream>> another = CLIENT
			.sendAsync(request("/stream").header("X-Warmup", CLAIM).build(), BodyHandlers.ofInputStream());
		assertThat(another.join().statusCode()).isEqualTo(200);
		assertThat(admission.warmupsInFlight()).isEqualTo(2);
		service.release();
		assertThat(stream.join().body()).isEqualTo("12");
	}

	@Test
	void userWithAStreamCountsOnlyUntilItBegins() {
		CompletableFuture<HttpResponse<InputStream>> stream = CLIENT.sendAsync(request("/stream").build(),
				BodyHandlers.ofInputStream());
		assertThat(stream.join().statusCode()).isEqualTo(200);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> admission.usersWaiting() == 0);
		assertThat(gateway.get("/fast", "X-Warmup", CLAIM).statusCode()).isEqualTo(200);
	}

	@Test
	void backlogOfUsersLeavesWarmupOnePermit() {
		for (int i = 0; i < 4; i++) {
			CLIENT.sendAsync(request("/held").build(), BodyHandlers.discarding());
		}
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> admission.usersWaiting() == 4);
		warmup("/held");
		awaitInFlight(1);
		assertThat(gateway.get("/fast", "X-Warmup", CLAIM).statusCode()).isEqualTo(429);
	}

	private static CompletableFuture<HttpResponse<String>> warmup(String path) {
		return CLIENT.sendAsync(request(path).header("X-Warmup", CLAIM).build(), BodyHandlers.ofString());
	}

	private static HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(gateway.address() + path)).timeout(Duration.ofSeconds(60));
	}

	private static void awaitInFlight(int warmups) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> admission.warmupsInFlight() == warmups);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

	}

}
