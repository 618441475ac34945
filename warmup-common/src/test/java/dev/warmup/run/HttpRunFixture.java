package dev.warmup.run;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClient;

/** Runs on real threads over real connections, through gateways that WireMock plays. */
final class HttpRunFixture {

	static final Duration PATIENCE = Duration.ofMinutes(1);

	final Gate gate = new Gate(true, GatePosition.OPEN, () -> {
	});

	final WarmupState state = new WarmupState(Clock.systemUTC(), List.of());

	private final RunSettings settings;

	HttpRunFixture(Duration budget, int repetitions) {
		this(RunFixture.settings(budget, repetitions, repetitions, 2, Steadily.AT_ONCE));
	}

	HttpRunFixture(RunSettings settings) {
		this.settings = settings;
	}

	/** An answer of the instance that runs. */
	static ResponseDefinitionBuilder proved(ResponseDefinitionBuilder answer) {
		return answer.withHeader(WarmupClaim.INSTANCE_HEADER, RunFixture.SELF.instanceId());
	}

	/** A gateway with this library, which accepts the instance. */
	static void accept(WireMockExtension gateway) {
		gateway.stubFor(WireMock.get("/.warmup/instances/host:1")
			.willReturn(WireMock.noContent().withHeader(WarmupClaim.GATEWAY_HEADER, "gw:1")));
		gateway.stubFor(WireMock.put(WireMock.urlMatching("/.warmup/runs/.*")).willReturn(WireMock.noContent()));
	}

	WarmupRunner runner(Catalog catalog, String... gateways) {
		InstanceSource instance = () -> RunFixture.SELF;
		return new WarmupRunner(instance, () -> catalog, located(gateways), WarmupTasks.none(),
				new GatewayClient(WebClient.create(), RunFixture.KEY, "gateway"), new Replayer(HttpClient.create()),
				List.of(), this.state, this.gate, () -> Mono.just(true), this.settings, Timing.system());
	}

	List<RunRecord> run(Catalog catalog, String... gateways) {
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier.create(runner(catalog, gateways).run(Trigger.STARTUP))
			.consumeNextWith(runs::addAll)
			.expectComplete()
			.verify(PATIENCE);
		return runs;
	}

	private static GatewayLocator located(String... urls) {
		List<Gateway> found = new ArrayList<>();
		for (String url : urls) {
			found.add(new Gateway("gw-" + (found.size() + 1), URI.create(url)));
		}
		return RunFixture.locator(() -> Mono.just(List.copyOf(found)));
	}

}
