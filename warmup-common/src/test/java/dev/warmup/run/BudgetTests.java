package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetTests {

	/** As {@link System#nanoTime()} may, this begins below zero. */
	private final AtomicLong nanoTime = new AtomicLong(-Duration.ofSeconds(30).toNanos());

	private final Budget budget = Budget.start(Duration.ofSeconds(60), this.nanoTime::get);

	@Test
	void stoppingEndsItForGood() {
		this.budget.stop();
		this.budget.restart(Duration.ofSeconds(20));
		assertThat(this.budget.isOver()).isTrue();
	}

	@Test
	void waitsSideBySideAreGivenBackOnce() {
		this.budget.extend(Duration.ofSeconds(4));
		pass(Duration.ofSeconds(1));
		this.budget.extend(Duration.ofSeconds(2));
		this.budget.extend(Duration.ofSeconds(5));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60 - 1 + 6));
		pass(Duration.ofSeconds(5));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60));
		this.budget.extend(Duration.ofSeconds(1));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(61));
	}

	@Test
	void whereTheEndIsFixedNoWaitsAreGivenBack() {
		this.budget.endAfter(Duration.ofSeconds(20));
		this.budget.extend(Duration.ofSeconds(5));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(20));
		assertThat(this.budget.isFullyExtended()).isFalse();
	}

	@Test
	void oneThatBeginsAnewMayBeExtendedAgain() {
		this.budget.extend(Duration.ofHours(1));
		assertThat(this.budget.isFullyExtended()).isTrue();
		this.budget.restart(Duration.ofSeconds(1));
		assertThat(this.budget.isFullyExtended()).isFalse();
		this.budget.extend(Duration.ofHours(1));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(1 + 20));
	}

	@Test
	void aBranchIsAsLongAsTheWhole() {
		Budget branch = this.budget.branch();
		pass(Duration.ofSeconds(70));
		this.budget.restart(Duration.ofSeconds(20));
		branch.extend(Duration.ofSeconds(5));
		assertThat(branch.remaining()).isEqualTo(this.budget.remaining()).isEqualTo(Duration.ofSeconds(25));
	}

	private void pass(Duration duration) {
		this.nanoTime.addAndGet(duration.toNanos());
	}

}
