package dev.warmup.run;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PlanTests {

	private static final Catalog WEIGHTED = weighted(1, 2, 6);

	@ParameterizedTest
	@CsvSource({ "1, 2, 6, 30, 10, 20, 60", "1, 1, 1000, 1, 1, 1, 3",
			"1, 1, 1000, 2147483647, 6429592, 6429592, 2147483647",
			"1000, 1000, 1000, 10000000, 10000000, " + "10000000, 10000000" })
	void sharesFollowWeightAndAreOneAtTheLeast(int light, int middle, int heavy, int repetitions, int lights,
			int middles, int heavies) {
		assertThat(repetitions(plan(weighted(light, middle, heavy), repetitions)))
			.isEqualTo(Map.of("light", lights, "middle", middles, "heavy", heavies));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 10, 50, 200 })
	void everyScenarioIsInTheFirstRoundAndTheRoundsAddUpToTheShares(int repetitions) {
		Plan plan = plan(WEIGHTED, repetitions);
		assertThat(plan.round(0)).isEqualTo(WEIGHTED.scenarios());
		Map<String, Integer> dealt = IntStream.range(0, plan.rounds())
			.mapToObj(plan::round)
			.flatMap(Collection::stream)
			.collect(Collectors.toMap(Scenario::name, (scenario) -> 1, Integer::sum));
		assertThat(dealt).isEqualTo(repetitions(plan));
	}

	@Test
	void aLighterScenarioIsSpreadEvenlyAndCleanupIsNotCounted() {
		Plan plan = plan(WEIGHTED, 30);
		assertThat(plan.requests()).isEqualTo(10 + 2 * 20 + 60);
		assertThat(IntStream.range(0, plan.rounds())
			.filter((round) -> plan.round(round).stream().anyMatch((scenario) -> scenario.name().equals("light"))))
			.containsExactly(0, 6, 12, 18, 24, 30, 36, 42, 48, 54);
	}

	@ParameterizedTest
	@CsvSource({ "mine, STARTUP, 'both, starting'", "mine, IDLE, 'both'", "mine, MANUAL, 'both, starting'",
			"other, STARTUP, 'starting'", "other, IDLE, ''", "mine, TRAIN, 'both, training'",
			"other, TRAIN, 'training'" })
	void onlyScenariosThatFitServiceAndTriggerArePlanned(String service, Trigger trigger, String names) {
		Catalog catalog = Catalogs.ofScenarios("{ name: both, service: mine, requests: [GET /both] }",
				"{ name: starting, when: [startup], requests: [GET /starting] }",
				"{ name: training, when: [train], requests: [GET /training] }");
		Plan plan = Plan.of(catalog, service, trigger, 1);
		assertThat(plan.shares().stream().map((share) -> share.scenario().name()).collect(Collectors.joining(", ")))
			.isEqualTo(names);
	}

	private static Catalog weighted(int light, int middle, int heavy) {
		return Catalogs.ofScenarios(
				"{ name: light, weight: %d, unsafe: true, requests: [GET /light], finally: [DELETE /light] }"
					.formatted(light),
				"{ name: middle, weight: %d, requests: [GET /middle/1, GET /middle/2] }".formatted(middle),
				"{ name: heavy, weight: %d, requests: [GET /heavy] }".formatted(heavy));
	}

	private static Plan plan(Catalog catalog, int repetitions) {
		return Plan.of(catalog, "any", Trigger.STARTUP, repetitions);
	}

	private static Map<String, Integer> repetitions(Plan plan) {
		return plan.shares()
			.stream()
			.collect(Collectors.toMap((share) -> share.scenario().name(), Plan.Share::repetitions));
	}

}
