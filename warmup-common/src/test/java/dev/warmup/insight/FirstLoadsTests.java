package dev.warmup.insight;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FirstLoadsTests {

	private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");

	@Test
	void aClassBelongsToTheScenarioThatWasUnderWay() {
		Map<String, Instant> ends = new LinkedHashMap<>();
		ends.put("rooms", BEGIN.plusSeconds(2));
		ends.put("users", BEGIN.plusSeconds(3));
		ends.put("idle", BEGIN.plusSeconds(4));
		Map<String, List<LoadedClass>> byScenario = FirstLoads.of(List.of(loaded("before.It", -1), loaded("b.Late", 2),
				loaded("a.Early", 1), loaded("c.Users", 3), loaded("after.All", 5)), BEGIN, ends);
		assertThat(byScenario).containsOnlyKeys("rooms", "users", "idle");
		assertThat(byScenario.get("rooms")).extracting(LoadedClass::name).containsExactly("a.Early", "b.Late");
		assertThat(byScenario.get("users")).extracting(LoadedClass::name).containsExactly("c.Users");
		assertThat(byScenario.get("idle")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "io.r2dbc.pool.ConnectionPool, io.r2dbc", "org.h2.Driver, org.h2", "kotlin.Unit, kotlin",
			"Main, (no package)", "dev.warmup.A$$Lambda/0x0000000800c03000, dev.warmup" })
	void originIsTheFirstTwoPartsOfThePackage(String name, String origin) {
		assertThat(new LoadedClass(name, BEGIN).origin()).isEqualTo(origin);
	}

	@Test
	void originsAreToldMostFirst() {
		assertThat(FirstLoads.origins(List.of(loaded("org.h2.A", 1), loaded("io.r2dbc.A", 1), loaded("io.r2dbc.B", 1))))
			.isEqualTo(" (io.r2dbc 2, org.h2 1)");
		assertThat(FirstLoads.origins(List.of())).isEmpty();
	}

	@Test
	void onlyAFewOriginsAreTold() {
		List<LoadedClass> many = IntStream.range(0, 6).mapToObj((i) -> loaded("p.p" + i + ".A", 1)).toList();
		assertThat(FirstLoads.origins(many)).isEqualTo(" (p.p0 1, p.p1 1, p.p2 1, p.p3 1, p.p4 1, ...)");
	}

	private static LoadedClass loaded(String name, int second) {
		return new LoadedClass(name, BEGIN.plusSeconds(second));
	}

}
