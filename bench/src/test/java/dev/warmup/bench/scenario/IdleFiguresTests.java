package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Visit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IdleFiguresTests {

	private static final List<String> KINDS = List.of("sign-up", "find-user");

	private static final Offset<Double> DIGITS = Offset.offset(0.01);

	private final Notebook notebook = new Notebook();

	@Test
	void theFirstOfEachKindIsTaken() {
		IdleFigures.first(KINDS, seen(visit("sign-up", 40), visit("find-user", 30), visit("sign-up", 2)),
				this.notebook);
		assertThat(this.notebook.figures()).containsEntry("sign-up", 40.0).containsEntry("find-user", 30.0);
		assertThat(this.notebook.notes()).isEmpty();
	}

	@Test
	void aFailureIsToldAndIsNoFirstAnswer() {
		Visit failed = new Visit("sign-up", 0, Duration.ofMillis(1), Optional.of("503"));
		IdleFigures.first(KINDS, seen(failed, visit("sign-up", 40)), this.notebook);
		assertThat(this.notebook.figures()).containsEntry("sign-up", 40.0).doesNotContainKey("find-user");
		assertThat(this.notebook.notes()).hasSize(1);
	}

	@Test
	void whatIsSteadyIsTheMedianOfEachKind() {
		IdleFigures.steady(KINDS, seen(visit("sign-up", 9), visit("sign-up", 2), visit("sign-up", 1)), this.notebook);
		assertThat(this.notebook.figures().get("sign-up")).isCloseTo(2, DIGITS);
		assertThat(this.notebook.figures()).doesNotContainKey("find-user");
	}

	@Test
	void theMedianOfTheFirstHundredLeavesOutThoseWhoCameLater() {
		List<Visit> visits = Stream
			.concat(Collections.nCopies(100, visit("sign-up", 4)).stream(),
					Collections.nCopies(200, visit("sign-up", 1)).stream())
			.toList();
		IdleFigures.first(KINDS, new Experience(0, visits), this.notebook);
		assertThat(this.notebook.figures().get("p50 of 100")).isCloseTo(4, DIGITS);
	}

	private static Experience seen(Visit... visits) {
		return new Experience(0, List.of(visits));
	}

	private static Visit visit(String request, long millis) {
		return new Visit(request, 0, Duration.ofMillis(millis), Optional.empty());
	}

}
