package dev.warmup.e2e;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScrapeTests {

	private final Scrape scrape = new Scrape(List.of("""
			# HELP warmup_phase_instances 1 for the phase
			# TYPE warmup_phase_instances gauge
			warmup_phase_instances{phase="cold"} 0.0
			warmup_phase_instances{phase="warm",} 1.0
			http_bucket{le="0.1",uri="/a\\"} b{c=\\"",status="200"} 3
			""", "plain 1.5E9\n"));

	@Test
	void nothingIsMissingOfWhatIsThere() {
		assertThat(missing("sum by (job, phase) (warmup_phase_instances{phase=\"warm\", instance=\"x\"}) > plain"))
			.isEmpty();
		assertThat(missing("histogram_quantile(0.99, sum by (le, uri) (rate(http_bucket{status=\"200\"}[5m])))"))
			.isEmpty();
	}

	@Test
	void misspeltNamesAreMissing() {
		assertThat(missing("warmup_phase_instance == 1")).containsExactly("No metric warmup_phase_instance");
		assertThat(missing("plain{phase=\"warm\"}")).containsExactly("No label phase of plain");
		assertThat(missing("sum by (phases) (warmup_phase_instances)")).containsExactly("No label phases to group by");
		assertThat(missing("http_bucket{c=\"\"} + HELP")).containsExactly("No label c of http_bucket",
				"No metric HELP");
	}

	private List<String> missing(String expression) {
		return this.scrape.missing(PromQl.of(expression));
	}

}
