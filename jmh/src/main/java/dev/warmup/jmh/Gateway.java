package dev.warmup.jmh;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupClaim;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

/**
 * A gateway that a service was warmed through some while ago: the run was reported, and
 * more than the first hundred users have been here since.
 */
final class Gateway implements AutoCloseable {

	private static final int RUNS_REQUESTS = 200;

	/** Well above the hundred that are timed, and enough to have linked all lambdas. */
	private static final int USERS = 1000;

	private final ConfigurableApplicationContext context;

	private final ReactiveApplication application;

	Gateway(Library library) {
		this.context = Contexts.gateway(library);
		this.application = new ReactiveApplication(this.context.getBean(HttpHandler.class));
		if (library.isPresent()) {
			warm();
		}
		for (int i = 0; i < USERS; i++) {
			get(Paths.COVERED);
		}
	}

	private void warm() {
		String claim = new WarmupClaim(Contexts.INSTANCE, Optional.of(Contexts.TOKEN), "run-1").format();
		for (int i = 0; i < RUNS_REQUESTS; i++) {
			expect(200,
					this.application.send(MockServerHttpRequest.method(HttpMethod.GET, Paths.COVERED)
						.header(WarmupClaim.HEADER, claim)
						.build()));
		}
		String report = JsonMapper.shared()
			.writeValueAsString(
					new RunReport(Contexts.SERVICE, Contexts.INSTANCE, Phase.WARM, GatePosition.OPEN, run("run-1")));
		expect(204, this.application
			.send(MockServerHttpRequest.put(RunReport.PATH + "run-1").header(WarmupClaim.HEADER, claim).body(report)));
	}

	private static RunRecord run(String id) {
		Optional<Duration> latency = Optional.of(Duration.ofMillis(1));
		return new RunRecord(id, Trigger.STARTUP, Verdict.WARM, "gateway", Instant.now(), Duration.ofSeconds(1),
				Duration.ZERO, RUNS_REQUESTS, 0, latency, latency, latency, Optional.of(1.0), Duration.ZERO, 0,
				Duration.ZERO, Optional.empty(), List.of(), List.of(), List.of());
	}

	private static void expect(int status, int answered) {
		if (answered != status) {
			throw new IllegalStateException("The gateway does not take part: " + answered);
		}
	}

	/**
	 * Sends a user's request through all that the gateway has; the status of its answer.
	 */
	int get(URI path) {
		return this.application.get(path);
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
