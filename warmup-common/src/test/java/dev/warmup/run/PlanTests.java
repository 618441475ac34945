package dev.warmup.run;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class PlanTests {

	private static final Catalog WEIGHTED = Catalogs.of("""
			version: 1
			scenarios:
			  - { name: light, weight: 1, requests: [GET /light] }
			  - { name: middle, weight: 2, requests: [GET /middle/1, GET /middle/2] }
			  - { name: heavy, weight: 6, requests: [GET /heavy] }
			""");

	@Test
	void sharesFollowWeight() {
		assertThat(repetitions(Plan.of(WEIGHTED, "any", Trigger.STARTUP, 30)))
			.isEqualTo(Map.of("light", 10, "middle", 20, "heavy", 60));
	}

	@Test
	void aScenarioOfLeastWeightIsStillSentOnce() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: light, weight: 1, requests: [GET /light] }
				  - { name: heavy, weight: 1000, requests: [GET /heavy] }
				""");
		assertThat(repetitions(Plan.of(catalog, "any", Trigger.STARTUP, 1))).isEqualTo(Map.of("light", 1, "heavy", 2));
	}

	@Test
	void aGreatWeightTimesManyRepetitionsDoesNotOverflow() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: heavy, weight: 1000, requests: [GET /heavy] }
				""");
		assertThat(repetitions(Plan.of(catalog, "any", Trigger.STARTUP, 10_000_000)))
			.isEqualTo(Map.of("heavy", 10_000_000));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 10, 50, 200 })
	void everyScenarioIsInTheFirstRound(int repetitions) {
		Plan plan = Plan.of(WEIGHTED, "any", Trigger.STARTUP, repetitions);
		assertThat(plan.round(0)).isEqualTo(WEIGHTED.scenarios());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 10, 50, 200 })
	void theRoundsAddUpToTheShares(int repetitions) {
		Plan plan = Plan.of(WEIGHTED, "any", Trigger.STARTUP, repetitions);
		Map<String, Integer> dealt = rounds(plan).flatMap(Collection::stream)
			.collect(Collectors.toMap(Scenario::name, (scenario) -> 1, Integer::sum));
		assertThat(dealt).isEqualTo(repetitions(plan));
	}

	@Test
	void aLighterScenarioIsSpreadEvenly() {
		Plan plan = Plan.of(WEIGHTED, "any", Trigger.STARTUP, 30);
		List<Integer> due = IntStream.range(0, plan.rounds())
			.filter((round) -> plan.round(round).stream().anyMatch((scenario) -> scenario.name().equals("light")))
			.boxed()
			.toList();
		assertThat(due).containsExactly(0, 6, 12, 18, 24, 30, 36, 42, 48, 54);
	}

	@Test
	void requestsCountsThoseOfEveryRepetition() {
		assertThat(Plan.of(WEIGHTED, "any", Trigger.STARTUP, 30).requests()).isEqualTo(10 + 2 * 20 + 60);
	}

	@Test
	void cleanupIsNotCounted() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: a, unsafe: true, requests: [POST /a], finally: [DELETE /a] }
				""");
		assertThat(Plan.of(catalog, "any", Trigger.STARTUP, 7).requests()).isEqualTo(7);
	}

	@ParameterizedTest
	@CsvSource({ "mine, STARTUP, 'both, starting'", "mine, IDLE, 'both'", "mine, MANUAL, 'both, starting'",
			"other, STARTUP, 'starting'", "other, IDLE, ''" })
	void onlyScenariosThatFitServiceAndTriggerArePlanned(String service, Trigger trigger, String names) {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: both, service: mine, requests: [GET /both] }
				  - { name: starting, when: [startup], requests: [GET /starting] }
				""");
		Plan plan = Plan.of(catalog, service, trigger, 1);
		assertThat(plan.shares().stream().map((share) -> share.scenario().name()).collect(Collectors.joining(", ")))
			.isEqualTo(names);
	}

	private static Stream<List<Scenario>> rounds(Plan plan) {
		return IntStream.range(0, plan.rounds()).mapToObj(plan::round);
	}

	private static Map<String, Integer> repetitions(Plan plan) {
		return plan.shares()
			.stream()
			.collect(Collectors.toMap((share) -> share.scenario().name(), Plan.Share::repetitions));
	}

}
