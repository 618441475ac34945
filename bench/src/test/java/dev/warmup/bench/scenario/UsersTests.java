package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.stream.LongStream;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Visit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UsersTests {

	@Test
	void theFirstHundredCountAndNoneAfterThem() {
		Experience first = Users.firstOf(Visits
			.of(LongStream.rangeClosed(1, 110).mapToObj((i) -> Visits.answered("find", i, i)).toArray(Visit[]::new)));
		assertThat(first.visits()).hasSize(100);
		assertThat(first.percentile(100)).isBetween(Duration.ofMillis(100), Duration.ofMillis(101));
	}

	@Test
	void aQuickErrorIsNotTheFirstAnswer() {
		assertThat(Users.firstAnswer(Visits.of(Visits.failed("find", 3, 3), Visits.answered("find", 500, 400),
				Visits.answered("find", 510, 5))))
			.hasValue(Duration.ofMillis(400));
	}

	@Test
	void withoutAnAnswerThereIsNoFirst() {
		assertThat(Users.firstAnswer(Visits.of(Visits.failed("find", 3, 3)))).isEmpty();
		assertThat(Users.median(Visits.of())).isEmpty();
	}

	@Test
	void theMedianIsOfAll() {
		assertThat(Users.median(Visits.of(Visits.answered("find", 1, 10), Visits.answered("find", 2, 20),
				Visits.answered("find", 3, 3000))))
			.hasValueSatisfying((median) -> assertThat(median.toMillis()).isEqualTo(20));
	}

	@Test
	void errorsAreCountedAndToldOnce() {
		Notebook notebook = new Notebook();
		Users.recordErrors(
				Visits.of(Visits.failed("find", 1, 1), Visits.answered("find", 2, 1), Visits.failed("find", 3, 1)),
				"service", notebook);
		assertThat(notebook.figures()).containsEntry("service: errors", 2.0);
		assertThat(notebook.notes()).containsExactly("Users met an error (service): find: 503 (expected 2xx).");
	}

	@Test
	void noErrorIsAFigureToo() {
		Notebook notebook = new Notebook();
		Users.recordErrors(Visits.of(Visits.answered("find", 1, 1)), "service", notebook);
		assertThat(notebook.figures()).containsEntry("service: errors", 0.0);
		assertThat(notebook.notes()).isEmpty();
	}

}
