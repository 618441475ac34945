package dev.warmup;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupContextTests {

	private static final WarmupContext MARK = new WarmupContext("host:1", "r-1");

	/** As Spring Boot and Micrometer Tracing have it: by what the services file lists. */
	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder()
		.contextRegistry(ContextRegistry.getInstance())
		.build();

	@Test
	void aThreadsMarkIsThatOfTheInnermostScope() {
		WarmupContext other = new WarmupContext("host:1", "r-2");
		WarmupContext.Scope outer = MARK.open();
		assertThat(WarmupContext.current()).contains(MARK);
		WarmupContext.Scope inner = other.open();
		assertThat(WarmupContext.current()).contains(other);
		inner.close();
		assertThat(WarmupContext.current()).contains(MARK);
		outer.close();
		assertThat(WarmupContext.current()).isEmpty();
	}

	@Test
	void itCrossesThreadsWhereContextIsPropagated() {
		CompletableFuture<Optional<WarmupContext>> seen = new CompletableFuture<>();
		Runnable work = () -> seen.complete(WarmupContext.current());
		WarmupContext.Scope scope = MARK.open();
		new Thread(this.snapshots.captureAll().wrap(work)).start();
		assertThat(CompletableFuture.supplyAsync(WarmupContext::current).join()).as("otherwise").isEmpty();
		scope.close();
		assertThat(seen.join()).contains(MARK);
	}

	@Test
	void itGoesFromThreadsToReactorAndBack() {
		WarmupContext.Scope scope = MARK.open();
		StepVerifier
			.create(Mono.deferContextual((context) -> Mono.justOrEmpty(WarmupContext.find(context)))
				.contextWrite(this.snapshots.captureAll()::updateContext))
			.expectNext(MARK)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		scope.close();
		ContextSnapshot.Scope restored = this.snapshots.setThreadLocalsFrom(Context.of(WarmupContext.class, MARK));
		assertThat(WarmupContext.current()).contains(MARK);
		restored.close();
		assertThat(WarmupContext.current()).isEmpty();
	}

}
