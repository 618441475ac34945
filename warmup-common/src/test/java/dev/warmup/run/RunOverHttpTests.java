package dev.warmup.run;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.Gateway;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.RunFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole runs on real threads over real connections, through gateways that WireMock plays;
 * BlockHound sees that none of it blocks an event loop. Whatever the gateway does, a run
 * ends in a verdict that names it, and the gate opens.
 */
class RunOverHttpTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private static final Catalog CATALOG = Catalogs.of("""
			version: 1
			scenarios:
			  - name: a
			    requests:
			      - { name: one, path: /a, method: GET, capture: { id: $.id } }
			      - GET /a/{{id}}/{{uuid}}/{{randomInt(1,9)}}/{{now}}
			      - GET /a/{{uuid}}
			  - { name: b, requests: ["GET /b/{{uuid}}", "GET /b/{{uuid}}"] }
			""");

	private static final Catalog TWO = Catalogs.of("""
			version: 1
			defaults: { timeout: 500ms }
			scenarios:
			  - { name: first, requests: [GET /first] }
			  - { name: second, requests: [GET /second] }
			""");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRunThroughTwoGatewaysOrPlainProxiesEndsWarmWithoutBlocking(boolean withLibrary) {
		if (withLibrary) {
			accept();
		}
		answer();
		List<RunRecord> runs = run(CATALOG, gateway.baseUrl(), gateway.baseUrl());
		assertThat(runs).extracting(RunRecord::reason).containsOnly(Optional.empty());
		assertThat(runs).extracting(RunRecord::verdict).containsExactly(Verdict.WARM, Verdict.WARM);
		assertThat(runs).extracting(RunRecord::sent).containsExactly(50L, 50L);
		gateway.verify(2, getRequestedFor(urlEqualTo("/.warmup/instances/host:1")));
		gateway.verify(100, getRequestedFor(urlMatching("/[ab].*")));
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	@Tag("full")
	void aGatewayThatFailsInTheMiddleOfARunIsCounted(Fault fault) {
		accept();
		gateway.stubFor(get("/first").willReturn(proved(ok())));
		gateway.stubFor(get("/second").willReturn(aResponse().withFault(fault)));
		RunRecord run = runFaulty();
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.failed()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Tag("full")
	void anAnswerThatNeverComesOrNeverEndsEndsInAVerdict(boolean dribbled) {
		accept();
		gateway.stubFor(get("/first").willReturn(
				dribbled ? proved(ok("endless")).withChunkedDribbleDelay(7, 120_000) : ok().withFixedDelay(120_000)));
		RunRecord run = runFaulty();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason().orElseThrow()).startsWith("GET /first through gateway gw-1: no answer");
	}

	@Test
	void aCatalogThatHangsEndsTheRun() {
		CountDownLatch hanging = new CountDownLatch(1);
		try {
			RunRecord run = run(settings(Duration.ofSeconds(1), 2, 2), () -> await(hanging)).get(0);
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.reason()).isPresent();
		}
		finally {
			hanging.countDown();
		}
	}

	private static Catalog await(CountDownLatch latch) {
		try {
			latch.await();
			return TWO;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static RunRecord runFaulty() {
		try (CapturedLog log = CapturedLog.of("dev.warmup")) {
			RunRecord run = run(settings(Duration.ofSeconds(2), 2, 2), TWO, gateway.baseUrl()).get(0);
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("ERROR"));
			return run;
		}
	}

	private static RunSettings settings(Duration budget, int repetitions, int concurrency) {
		return RunFixture.settings(budget, repetitions, repetitions, concurrency, Steadily.AT_ONCE);
	}

	private static List<RunRecord> run(Catalog catalog, String... gateways) {
		return run(settings(Duration.ofMinutes(1), 10, 2), catalog, gateways);
	}

	private static List<RunRecord> run(RunSettings settings, Catalog catalog, String... gateways) {
		return run(settings, () -> catalog, gateways);
	}

	/** Runs on the system's time; in the end, the gate is open. */
	private static List<RunRecord> run(RunSettings settings, CatalogSource catalogs, String... gateways) {
		List<Gateway> found = new ArrayList<>();
		for (String url : gateways) {
			found.add(new Gateway("gw-" + (found.size() + 1), URI.create(url)));
		}
		Gate gate = new Gate(true, Gate.Position.OPEN, () -> {
		});
		WarmupRunner runner = new WarmupRunner(() -> RunFixture.SELF, catalogs,
				RunFixture.locator(() -> Mono.just(found)),
				new WarmupTasks(List::of, List.of(), Schedulers.parallel(), System::nanoTime),
				new GatewayRun.Shared(
						new GatewayClient(WebClient.create(), RunFixture.KEY, "gateway", Clock.systemUTC()),
						new Replayer(HttpClient.create()), new RunListeners<>(List.of()),
						new WarmupState(Clock.systemUTC(), List.of()), settings, Timing.system()),
				gate, () -> Mono.just(true), new UserActivity(Clock.systemUTC()));
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier.create(runner.run(Trigger.STARTUP))
			.consumeNextWith(runs::addAll)
			.expectComplete()
			.verify(Duration.ofMinutes(1));
		assertThat(gate.isOpen()).isTrue();
		return runs;
	}

	/** A gateway with this library, which accepts the instance. */
	private static void accept() {
		gateway.stubFor(get("/.warmup/instances/host:1")
			.willReturn(noContent().withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1")));
		gateway.stubFor(put(urlMatching("/.warmup/runs/.*")).willReturn(noContent()));
	}

	private static void answer() {
		gateway.stubFor(any(urlMatching("/[ab].*")).willReturn(proved(okJson("{\"id\": 7}"))));
	}

}
