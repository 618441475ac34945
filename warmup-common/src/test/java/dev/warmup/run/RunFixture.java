package dev.warmup.run;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupClientCustomizer;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.registry.Announcer;
import dev.warmup.service.Gate;
import dev.warmup.service.MonotonicClock;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/** What tests of runs inherit: parts that they may replace before they use them. */
abstract class RunFixture {

	static final Duration TIMEOUT = Duration.ofSeconds(60);

	final FakeGateway gateway = new FakeGateway("gw-1");

	final FakeGateway other = new FakeGateway("gw-2");

	final List<Object> events = new CopyOnWriteArrayList<>();

	Clock clock = new MonotonicClock();

	Scheduler scheduler = Schedulers.parallel();

	String scenarios = "{ name: only, requests: [GET /rooms] }";

	/** In place of these scenarios. */
	Optional<Catalog> catalog = Optional.empty();

	Mono<List<Gateway>> located = Mono.defer(() -> Mono.just(List.of(this.gateway.gateway())));

	Duration budget = Duration.ofMillis(200);

	Duration deadline = Duration.ofSeconds(30);

	/** Whatever the latency does is steady. */
	double tolerance = 1_000;

	boolean opensOnFailure = true;

	List<WarmupTask> tasks = List.of();

	List<WarmupClientCustomizer> customizers = List.of();

	/** Whether there is anywhere to look for gateways. */
	boolean available = true;

	Runnable onOpen = () -> {
	};

	final Gate gate = new Gate(true, (event) -> {
		this.events.add(event);
		this.onOpen.run();
	});

	/** Where gateways have no registry. */
	Optional<Announcer> announcer = Optional.empty();

	private final ConnectionProvider connections = ConnectionProvider.create("test");

	Optional<RunRecord.Findings> findings = Optional.empty();

	private RunParts parts;

	@AfterEach
	void close() {
		this.gateway.close();
		this.other.close();
		this.connections.dispose();
	}

	static Catalog catalog(String... scenarios) {
		return read("version: 1\nscenarios:\n  - " + String.join("\n  - ", scenarios));
	}

	static Catalog read(String yaml) {
		return CatalogSource
			.required(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "the catalog of the test"))
			.current();
	}

	CatalogSource catalogs() {
		Catalog catalog = this.catalog.orElseGet(() -> catalog(this.scenarios));
		return () -> catalog;
	}

	RunParts parts() {
		if (this.parts == null) {
			RunParts.Settings settings = new RunParts.Settings(this.budget, this.deadline, 3, Trigger.STARTUP,
					this.tolerance, 5, this.opensOnFailure);
			OwnState state = new OwnState(() -> FakeGateway.SELF, this.gate, () -> Mono.just(true), this.clock);
			GatewayClient client = new GatewayClient(HttpClient.create(this.connections), this.customizers,
					this.announcer, this.clock, this.scheduler);
			this.parts = new RunParts(settings, state, this.gate, new UserActivity(this.clock), catalogs(),
					(catalog) -> this.findings, new WarmupTasks(() -> this.tasks, this.scheduler), locator(), client,
					new News(state, this.gate, locator(), client, this.scheduler), this.events::add, this.clock,
					this.scheduler);
		}
		return this.parts;
	}

	private GatewayLocator locator() {
		return new GatewayLocator() {

			@Override
			public Mono<List<Gateway>> locate() {
				return RunFixture.this.located;
			}

			@Override
			public boolean isAvailable() {
				return RunFixture.this.available;
			}

			@Override
			public String description() {
				return "gateways of the test";
			}

		};
	}

	/** Runs to the end. */
	RunRecord run(Trigger trigger) {
		RunRecord run = new WarmupRun(parts(), "r-1", trigger, null).execute().block(TIMEOUT);
		assertThat(run).isNotNull();
		return run;
	}

	<T> List<T> events(Class<T> type) {
		List<T> found = new ArrayList<>();
		this.events.stream().filter(type::isInstance).map(type::cast).forEach(found::add);
		return found;
	}

}
