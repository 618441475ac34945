package dev.warmup.discovery;

import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import dev.warmup.protocol.SignedClaim;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forged claims at full speed from outside, on a real gateway with a real Eureka server.
 */
@ExtendWith(OutputCaptureExtension.class)
class ForgedClaimsTests {

	private static final int FORGED = 2_000;

	private static final int CONNECTIONS = 32;

	private static final Queue<String> MARKED = new ConcurrentLinkedQueue<>();

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.warmup");

	private static RegistryServer eureka = new RegistryServer();

	private static DisposableServer service;

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		service = HttpServer.create().port(0).handle((request, response) -> {
			// the gateway requests a run to be warmed itself, with a claim of its own
			boolean asks = request.uri().startsWith("/.warmup/");
			if (!asks && request.requestHeaders().contains("X-Warmup")) {
				MARKED.add(request.uri());
			}
			return response.sendString(Mono.just("fine"));
		}).bindNow();
		eureka.start();
		eureka.register("chat-1", "UP", address(), Claims.jwk("chat-1"));
		gateway = new GatewayFixture()
			.with("eureka.client.enabled=true", "eureka.client.register-with-eureka=false",
					"eureka.client.service-url.defaultZone=" + eureka.url(), "eureka.client.jersey.enabled=false")
			.route("chat", "lb://chat-service", "/**")
			.start();
		LOGGER.setLevel(Level.DEBUG);
	}

	private static URI address() {
		return URI.create("http://localhost:" + service.port());
	}

	@AfterAll
	static void stop() {
		LOGGER.setLevel(Level.INFO);
		service.disposeNow(); // before the gateway, which ends the event loops of both
		gateway.close();
		eureka.close();
	}

	@Test
	void forgedClaimsAreServedAsUsersRequestsAndHardlyReachTheRegistry(CapturedOutput output) {
		RegistryClaimVerifier verifier = (RegistryClaimVerifier) gateway.bean(ClaimVerifier.class);
		int before = eureka.lookups();
		long start = System.nanoTime();
		List<Integer> statuses = flood();
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;
		assertThat(statuses).hasSize(FORGED).containsOnly(200);
		assertThat(MARKED).isEmpty();
		assertThat(eureka.lookups() - before).isBetween(1, Math.toIntExact(2 * (20 + 5 * seconds)));
		assertThat(verifier.size()).isLessThan(200);
		assertThat(gateway.count("warmup.claims", "outcome:rejected")).isEqualTo(FORGED);

		assertThat(gateway.get("/actuator/metrics/http.client.requests").body()).doesNotContain("instances/");

		assertThat(gateway.get("/genuine", "X-Warmup", Claims.replay("chat-1", "r")).statusCode()).isEqualTo(200);
		assertThat(MARKED).containsExactly("/genuine");
		eureka.register("chat-2", "STARTING", address(), Claims.jwk("chat-2"));
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> gateway.get("/.warmup/instances/chat-2", "X-Warmup", Claims.replay("chat-2", "r"))
				.statusCode() == 204);
		assertThat(output).doesNotContain("jwt=").doesNotContain(jwt(Claims.replay("chat-2", "r")));
	}

	private static String jwt(String claim) {
		return claim.replaceFirst(".*jwt=", "");
	}

	private static List<Integer> flood() {
		ConnectionProvider connections = ConnectionProvider.create("flood", CONNECTIONS);
		HttpClient client = HttpClient.create(connections).baseUrl(gateway.address());
		try {
			return Flux.range(0, FORGED)
				.flatMap(
						(i) -> client.headers((headers) -> headers.set("X-Warmup", forged(i)))
							.get()
							.uri("/rooms")
							.responseSingle((answer, body) -> body.then(Mono.just(answer.status().code()))),
						CONNECTIONS)
				.collectList()
				.blockOptional(Duration.ofMinutes(5))
				.orElseThrow();
		}
		finally {
			connections.dispose();
		}
	}

	/** Mostly of unknown instances, some of a registered one, fewer than are verified. */
	private static String forged(int i) {
		byte[] random = new byte[16];
		ThreadLocalRandom.current().nextBytes(random);
		String instance = (i % 50 == 0) ? "chat-1" : "host:chat-service:" + HexFormat.of().formatHex(random);
		return Claims.of("forger", instance, SignedClaim.Scope.REPLAY, "r-" + i);
	}

}
