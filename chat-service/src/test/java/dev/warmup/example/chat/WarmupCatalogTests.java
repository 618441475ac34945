package dev.warmup.example.chat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.Budget;
import dev.warmup.run.Outcome;
import dev.warmup.run.Plan;
import dev.warmup.run.Replayer;
import dev.warmup.run.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replays the catalog of the service against the service itself. There is no gateway, so
 * that the service's own run sends nothing. The system property {@code catalog.runs} is
 * the number of rounds.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "eureka.client.enabled=false", "warmup.gateway.url=http://localhost:1",
				"spring.webflux.base-path=/chat-service",
				"spring.r2dbc.url=r2dbc:h2:mem:///catalog?options=DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
				"spring.flyway.url=jdbc:h2:mem:catalog;DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE" })
@Timeout(120)
class WarmupCatalogTests {

	private static final int RUNS = Integer.getInteger("catalog.runs", 10);

	private static final Duration LIMIT = Duration.ofMinutes(10);

	@Autowired
	DatabaseClient database;

	@Autowired
	InstanceSource instance;

	@Autowired
	WarmupKey key;

	@LocalServerPort
	int port;

	private final Catalog catalog = new CatalogReader().read(new ClassPathResource("warmup-requests.yml"));

	private final Replayer replayer = new Replayer(HttpClient.create());

	@Test
	void catalogPassesAndLeavesTheTablesUnchanged() {
		Map<String, Long> before = rows();
		Plan plan = Plan.of(this.catalog, "chat-service", Trigger.STARTUP, RUNS);
		Session session = new Session(this.catalog, URI.create("http://127.0.0.1:" + this.port), this::claim,
				"chat-service", Budget.start(LIMIT, System::nanoTime));
		Flux<Outcome> failures = Flux.range(0, plan.rounds())
			.concatMap((round) -> Flux.fromIterable(plan.round(round))
				.flatMap((scenario) -> this.replayer.replay(scenario, session), 2))
			.filter((outcome) -> !(outcome instanceof Outcome.Answered));
		StepVerifier.create(failures).expectComplete().verify(LIMIT);
		assertThat(rows()).isEqualTo(before).containsEntry("rooms", 1L);
	}

	/** Signed by the service, since only verified answers count. */
	private WarmupClaim claim() {
		return this.key.claim(this.instance.get().instanceId(), "gateway", ClaimScope.REPLAY, "run");
	}

	private Map<String, Long> rows() {
		Map<String, Long> rows = new TreeMap<>();
		for (String table : new String[] { "users", "rooms", "members", "messages" }) {
			rows.put(table, count(table));
		}
		return rows;
	}

	private long count(String table) {
		Long rows = this.database.sql("SELECT COUNT(*) AS n FROM " + table)
			.map((row) -> row.get("n", Long.class))
			.one()
			.block(LIMIT);
		assertThat(rows).isNotNull();
		return rows;
	}

}
