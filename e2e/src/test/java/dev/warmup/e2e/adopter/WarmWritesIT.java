package dev.warmup.e2e.adopter;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.service.OwnState;
import jakarta.persistence.EntityManagerFactory;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warm-up writes as users do and leaves no row, by the recipe of the guide: with JDBC,
 * with JPA and with R2DBC.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
class WarmWritesIT {

	private static final int REPETITIONS = 1_000;

	private static final int USERS = 2;

	@Test
	void warmUpLeavesNoRowByJdbc() throws SQLException {
		try (RunningApplication orders = RunningApplication.jdbcService(WritingServices.Jdbc.class,
				blocking("orders-by-jdbc"))) {
			leavesNoRow(orders, "orders-by-jdbc");
		}
	}

	@Test
	void warmUpLeavesNoRowAndStillInsertsByJpa() throws SQLException {
		try (RunningApplication orders = RunningApplication.jpaService(WritingServices.Jpa.class,
				Stream
					.concat(Stream.of(blocking("orders-by-jpa")),
							Stream.of("spring.jpa.hibernate.ddl-auto=none",
									"spring.jpa.properties.hibernate.generate_statistics=true"))
					.toArray(String[]::new))) {
			leavesNoRow(orders, "orders-by-jpa");
			assertThat(orders.bean(EntityManagerFactory.class)
				.unwrap(SessionFactory.class)
				.getStatistics()
				.getEntityInsertCount()).isEqualTo(REPETITIONS + USERS);
		}
	}

	@Test
	void warmUpLeavesNoRowByR2dbc() throws SQLException {
		try (RunningApplication orders = RunningApplication.r2dbcService(WritingServices.Reactive.class,
				properties("spring.r2dbc.url=r2dbc:h2:mem:///orders-by-r2dbc", "spring.r2dbc.username=sa",
						"spring.r2dbc.password="))) {
			leavesNoRow(orders, "orders-by-r2dbc");
		}
	}

	private static String[] blocking(String database) {
		return properties("spring.datasource.url=" + url(database));
	}

	private static String[] properties(String... properties) {
		return Stream
			.concat(Stream.of(properties),
					Stream.of("spring.application.name=orders", "eureka.client.enabled=false",
							"spring.sql.init.mode=always",
							"spring.sql.init.schema-locations=classpath:dev/warmup/e2e/adopter/orders.sql"))
			.toArray(String[]::new);
	}

	private static String url(String database) {
		return "jdbc:h2:mem:" + database;
	}

	/** Nor does it send mail after a commit. Ids go on: no rollback takes them back. */
	private static void leavesNoRow(RunningApplication orders, String database) throws SQLException {
		Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> orders.get("/.warmup/ready").status() == 200);
		long first = place(orders);
		Map<String, Integer> before = rows(database);
		assertThat(before).isEqualTo(Map.of("AUDIT", 1, "ORDERS", 1));
		String[] mark = beginRun(orders);
		List<Long> ids = new ArrayList<>();
		IntStream.range(0, REPETITIONS).forEach((i) -> ids.add(place(orders, mark)));
		assertThat(ids).doesNotHaveDuplicates().allMatch((id) -> id > first);
		assertThat(rows(database)).isEqualTo(before);
		assertThat(place(orders)).isGreaterThan(ids.get(REPETITIONS - 1));
		assertThat(rows(database)).isEqualTo(Map.of("AUDIT", USERS, "ORDERS", USERS));
		assertThat(orders.bean(WritingServices.Mails.class).sent()).isEqualTo(USERS);
	}

	/** The id of an order, which the instance says to be warm-up if it is marked. */
	private static long place(RunningApplication orders, String... mark) {
		Answer answer = orders.send("POST", "/orders", mark);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		assertThat(answer.headers().firstValue(WarmupHeader.INSTANCE).isPresent()).isEqualTo(mark.length > 0);
		return answer.<Number>read("$.id").longValue();
	}

	/** Begins a run, and gives the header of its requests. */
	private static String[] beginRun(RunningApplication orders) {
		OwnState state = orders.bean(OwnState.class);
		RunRecord run = state.run().orElseThrow();
		WarmupHeader mark = new WarmupHeader(state.instance().instanceId(), state.beginRun(() -> run).use("gateway"));
		return new String[] { WarmupHeader.NAME, mark.format() };
	}

	/** How many rows are committed, by table. */
	private static Map<String, Integer> rows(String database) throws SQLException {
		Map<String, Integer> rows = new TreeMap<>();
		try (Connection connection = DriverManager.getConnection(url(database), "sa", "");
				Statement statement = connection.createStatement()) {
			List<String> tables = new ArrayList<>();
			try (ResultSet names = statement
				.executeQuery("select table_name from information_schema.tables where table_schema = 'PUBLIC'")) {
				while (names.next()) {
					tables.add(names.getString(1));
				}
			}
			for (String table : tables) {
				try (ResultSet count = statement.executeQuery("select count(*) from " + table)) {
					count.next();
					rows.put(table, count.getInt(1));
				}
			}
		}
		return rows;
	}

}
