package dev.warmup.run;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Trigger;
import dev.warmup.locate.Gateway;
import dev.warmup.locate.GatewayLocator;
import dev.warmup.record.RunRecord;
import dev.warmup.record.Verdict;
import dev.warmup.replay.WebClientReplayer;
import dev.warmup.report.WebClientReporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

/** A whole run on real threads; BlockHound sees that none of it blocks an event loop. */
class RunOverHttpTests {

	@RegisterExtension
	static final WireMockExtension server = WireMockExtension.newInstance()
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

	private final WarmupState state = new WarmupState(Clock.systemUTC(), List.of());

	@Test
	void aRunThroughTwoGatewaysEndsWarmWithoutBlocking() {
		server.stubFor(any(anyUrl()).willReturn(okJson("{\"id\": 7}")));
		StepVerifier.create(runner().run(Trigger.STARTUP)).assertNext((runs) -> {
			assertThat(runs).extracting(RunRecord::reason).containsOnly(Optional.empty());
			assertThat(runs).extracting(RunRecord::verdict).containsExactly(Verdict.WARM, Verdict.WARM);
			assertThat(runs).extracting(RunRecord::sent).containsExactly(50L, 50L);
		}).expectComplete().verify(Duration.ofMinutes(1));
		server.verify(100, getRequestedFor(anyUrl()));
		server.verify(2, putRequestedFor(urlMatching("/.warmup/runs/.*")));
	}

	private WarmupRunner runner() {
		Passage passage = new Passage(new WebClientReplayer(HttpClient.create()),
				new WebClientReporter(WebClient.create()), 2, List.of(), this.state, Clock.systemUTC(),
				Schedulers.parallel());
		return new WarmupRunner(() -> RunFixture.SELF, () -> CATALOG, twoGateways(), passage,
				new RunSettings(Duration.ofMinutes(1), 10), this.state, Clock.systemUTC(), Schedulers.parallel(),
				System::nanoTime);
	}

	private static GatewayLocator twoGateways() {
		URI uri = URI.create(server.baseUrl());
		return new GatewayLocator() {

			@Override
			public Mono<List<Gateway>> locate() {
				return Mono.just(List.of(new Gateway("gw-1", uri), new Gateway("gw-2", uri)));
			}

			@Override
			public String description() {
				return "two gateways";
			}

		};
	}

}
