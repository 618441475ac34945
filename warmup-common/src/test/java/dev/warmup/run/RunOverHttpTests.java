package dev.warmup.run;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
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

	private static final Catalog TWO = Catalogs.of("""
			version: 1
			defaults: { timeout: 500ms }
			scenarios:
			  - { name: first, requests: [GET /first] }
			  - { name: second, requests: [GET /second] }
			""");

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
			RunRecord run = run(Duration.ofSeconds(1), () -> await(hanging));
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
			RunRecord run = run(Duration.ofSeconds(2), () -> TWO);
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("ERROR"));
			return run;
		}
	}

	/** Runs on the system's time through one gateway; in the end, the gate is open. */
	private static RunRecord run(Duration budget, CatalogSource catalogs) {
		Gate gate = new Gate(true, Gate.Position.OPEN, () -> {
		});
		WarmupRunner runner = new WarmupRunner(() -> RunFixture.SELF, catalogs,
				RunFixture.locator(() -> Mono.just(List.of(new Gateway("gw-1", URI.create(gateway.baseUrl()))))),
				new WarmupTasks(List::of, List.of(), Schedulers.parallel(), System::nanoTime),
				new GatewayRun.Shared(
						new GatewayClient(WebClient.create(), RunFixture.KEY, "gateway", Clock.systemUTC()),
						new Replayer(HttpClient.create()), new RunListeners<>(List.of()),
						new WarmupState(Clock.systemUTC(), List.of()),
						new RunSettings(budget, 2, 2, 2, 1, 1, Steadily.AT_ONCE, Trigger.STARTUP, Duration.ofMinutes(2),
								Duration.ofSeconds(10), false, Duration.ZERO),
						Timing.system()),
				gate, () -> Mono.just(true), new UserActivity(Clock.systemUTC()));
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier.create(runner.run(Trigger.STARTUP))
			.consumeNextWith(runs::addAll)
			.expectComplete()
			.verify(Duration.ofMinutes(1));
		assertThat(gate.isOpen()).isTrue();
		assertThat(runs).hasSize(1);
		return runs.get(0);
	}

	/** A gateway with this library, which accepts the instance. */
	private static void accept() {
		gateway.stubFor(get("/.warmup/instances/host:1")
			.willReturn(noContent().withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1")));
		gateway.stubFor(put(urlMatching("/.warmup/runs/.*")).willReturn(noContent()));
	}

}
