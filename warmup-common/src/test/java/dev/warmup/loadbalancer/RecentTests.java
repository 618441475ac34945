package dev.warmup.loadbalancer;

import java.time.Duration;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecentTests {

	private final Recent<String> recent = new Recent<>(new MutableClock(), Duration.ofMinutes(1));

	@Test
	void valueThatReplacedAnotherMeanwhileIsNotRemovedInItsPlace() {
		this.recent.put("name", "before");
		this.recent.put("name", "after");
		this.recent.remove("name", "before");
		assertThat(this.recent.find("name")).hasValue("after");
		this.recent.remove("name", "after");
		assertThat(this.recent.find("name")).isEmpty();
	}

}
