package dev.warmup.task;

import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/** The tasks that need no library of their own. */
class BuiltInTaskTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Test
	void coreThreadsAreStarted() {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		executor.setCorePoolSize(3);
		executor.initialize();
		try {
			DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
			beans.registerSingleton("executor", executor);
			for (int run = 0; run < 2; run++) {
				complete(new TaskConfiguration().warmupExecutorTask(beans));
				assertThat(executor.getPoolSize()).isEqualTo(3);
			}
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void namesOfGatewaysAreResolved() {
		complete(dns(located("http://localhost:8080")));
		complete(dns(located("http://127.0.0.1:8080")));
	}

	@Test
	void aNameThatDoesNotResolveIsReported() {
		StepVerifier.create(dns(located("http://gateway.invalid")).run())
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(UnknownHostException.class)
				.hasMessageContaining("gateway.invalid"))
			.verify(TIMEOUT);
	}

	@Test
	void withoutAGatewayThereIsNoNameToResolve() {
		complete(dns(Mono.just(List.of())));
		complete(dns(Mono.error(new IllegalStateException("no registry"))));
		StepVerifier.withVirtualTime(() -> dns(Mono.never()).run())
			.thenAwait(Duration.ofSeconds(5))
			.expectComplete()
			.verify(TIMEOUT);
	}

	private static Mono<List<Gateway>> located(String uri) {
		return Mono.just(List.of(new Gateway(uri, URI.create(uri))));
	}

	private static WarmupTask dns(Mono<List<Gateway>> located) {
		GatewayLocator locator = Mockito.mock();
		Mockito.when(locator.locate()).thenReturn(located);
		return new TaskConfiguration().warmupDnsTask(locator);
	}

	private static void complete(WarmupTask task) {
		StepVerifier.create(task.run()).expectComplete().verify(TIMEOUT);
	}

}
