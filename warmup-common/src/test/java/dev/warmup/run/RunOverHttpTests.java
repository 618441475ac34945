package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A run on real threads; BlockHound sees that none of it blocks an event loop. */
class RunOverHttpTests extends RunFixture {

	@BeforeEach
	@Override
	void enterVirtualTime() {
		this.timing = Timing.system();
	}

	@Test
	void aCatalogThatHangsEndsTheRun() {
		CompletableFuture<Catalog> hanging = new CompletableFuture<>();
		this.catalogs = hanging::join;
		this.budget = Duration.ofSeconds(1);
		try {
			StepVerifier.create(runner().run(Trigger.STARTUP))
				.assertNext((runs) -> assertThat(runs).singleElement().satisfies((run) -> {
					assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
					assertThat(run.reason()).isPresent();
				}))
				.expectComplete()
				.verify(Duration.ofMinutes(1));
			assertThat(this.gate.isOpen()).isTrue();
		}
		finally {
			hanging.complete(CATALOG);
		}
	}

}
