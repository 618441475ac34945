package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetTests {

	/** As {@link System#nanoTime()} may, this begins below zero. */
	private final AtomicLong nanoTime = new AtomicLong(-Duration.ofSeconds(30).toNanos());

	private final Budget budget = Budget.start(Duration.ofSeconds(60), this.nanoTime::get);

	@Test
	void whatRemainsShrinksToZeroAndNotBelow() {
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60));
		pass(Duration.ofSeconds(45));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(15));
		assertThat(this.budget.isOver()).isFalse();
		pass(Duration.ofSeconds(15));
		assertThat(this.budget.isOver()).isTrue();
		pass(Duration.ofSeconds(15));
		assertThat(this.budget.remaining()).isZero();
	}

	@Test
	void aShareIsAPartOfWhatRemains() {
		pass(Duration.ofSeconds(30));
		Budget share = this.budget.share(3);
		assertThat(share.remaining()).isEqualTo(Duration.ofSeconds(10));
		pass(Duration.ofSeconds(10));
		assertThat(share.isOver()).isTrue();
		assertThat(this.budget.share(2).remaining()).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void stoppingEndsItAndItsPartsAtOnceAndForGoodButAPartEndsAlone() {
		this.budget.share(2).stop();
		this.budget.branch().stop();
		assertThat(this.budget.isOver()).isFalse();
		assertThat(this.budget.share(2).isOver()).isFalse();
		Budget share = this.budget.share(1);
		Budget branch = share.branch();
		List<String> ended = new ArrayList<>();
		branch.whenStopped().subscribe(null, null, () -> ended.add("branch"));
		this.budget.stop();
		assertThat(ended).containsExactly("branch");
		assertThat(List.of(this.budget, share, branch, this.budget.share(1), this.budget.branch()))
			.allMatch(Budget::isOver);
		this.budget.share(1).whenStopped().subscribe(null, null, () -> ended.add("later"));
		assertThat(ended).endsWith("later");
		this.budget.restart(Duration.ofSeconds(20));
		assertThat(this.budget.isOver()).isTrue();
	}

	@Test
	void waitsSideBySideAreGivenBackOnce() {
		this.budget.excuse(Duration.ofSeconds(4));
		pass(Duration.ofSeconds(1));
		this.budget.excuse(Duration.ofSeconds(2));
		this.budget.excuse(Duration.ofSeconds(5));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60 - 1 + 6));
		pass(Duration.ofSeconds(5));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60));
		this.budget.excuse(Duration.ofSeconds(1));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(61));
	}

	@Test
	void noMoreThanTwentyTimesTheBudgetIsGivenBack() {
		this.budget.excuse(Duration.ofMinutes(10));
		this.budget.excuse(Duration.ofHours(1));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(60 + 20 * 60));
		pass(Duration.ofHours(2));
		this.budget.restart(Duration.ofSeconds(1));
		this.budget.excuse(Duration.ofHours(1));
		assertThat(this.budget.remaining()).isEqualTo(Duration.ofSeconds(21));
	}

	@Test
	void aBranchIsAsLongAsTheWhole() {
		Budget branch = this.budget.branch();
		pass(Duration.ofSeconds(70));
		this.budget.restart(Duration.ofSeconds(20));
		branch.excuse(Duration.ofSeconds(5));
		assertThat(branch.remaining()).isEqualTo(this.budget.remaining()).isEqualTo(Duration.ofSeconds(25));
	}

	private void pass(Duration duration) {
		this.nanoTime.addAndGet(duration.toNanos());
	}

}
