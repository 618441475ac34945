package dev.warmup.bench;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScenariosTests {

	@Test
	void curveIsKnownAndNotRunUnlessItIsNamed() {
		assertThat(Scenarios.all()).containsKey("curve");
		assertThat(Scenarios.usual()).containsExactly("first", "burst", "join", "idle", "cost", "growth");
		assertThat(Scenarios.usual()).containsAll(Scenarios.SOON);
	}

	@Test
	void resultsOfCurveAloneHaveAPlaceOfTheirOwn() {
		assertThat(Scenarios.results(List.of("curve"))).isEqualTo("curve");
		assertThat(Scenarios.results(List.of("first", "curve"))).isEqualTo("latest");
		assertThat(Scenarios.results(List.of("first"))).isEqualTo("latest");
		assertThat(Scenarios.results(Scenarios.usual())).isEqualTo("latest");
	}

}
