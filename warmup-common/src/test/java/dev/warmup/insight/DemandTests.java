package dev.warmup.insight;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DemandTests {

	/** The two examples of HikariCP's page among them. */
	@ParameterizedTest
	@CsvSource({ "3, 4, 10", "8, 3, 17", "200, 2, 201", "200, 1, 1", "1, 2, 2" })
	void poolNeedsOneConnectionMoreThanAllThreadsTakeWithoutGettingOn(int threads, int held, long needed) {
		assertThat(demand(10, held).needed(threads)).isEqualTo(needed);
	}

	@Test
	void poolThatIsTooSmallCanDeadlock() {
		assertThat(demand(10, 2).danger(Optional.of(200)))
			.hasValue("Pool main can deadlock: orders/place holds 2 connections at once, so 200 threads need"
					+ " 200 x (2 - 1) + 1 = 201, but it has 10.");
	}

	@Test
	void poolThatIsJustLargeEnoughCannot() {
		assertThat(demand(11, 2).danger(Optional.of(10))).isEmpty();
		assertThat(demand(10, 2).danger(Optional.of(10))).isPresent();
	}

	@Test
	void whatHoldsOneNeverDeadlocks() {
		assertThat(demand(1, 1).danger(Optional.of(200))).isEmpty();
		assertThat(demand(1, 1).danger(Optional.empty())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "10, 2, 9", "10, 3, 4", "3, 3, 1", "2, 3, 0" })
	void withoutABoundThereIsANumberOfRequestsThatThePoolBears(int size, int held, int bearable) {
		assertThat(demand(size, held).bearable()).isEqualTo(bearable);
		assertThat(demand(size, held).danger(Optional.empty()))
			.hasValue(("Pool main can deadlock: orders/place holds %d connections at once; its %d are enough for %d"
					+ " such requests at a time, and no number of threads bounds these.")
				.formatted(held, size, bearable));
	}

	@Test
	void manyThreadsDoNotOverflow() {
		assertThat(demand(10, 3).needed(Integer.MAX_VALUE)).isEqualTo(2L * Integer.MAX_VALUE + 1);
	}

	private static Demand demand(int size, int held) {
		return new Demand("main", size, "orders/place", held);
	}

}
