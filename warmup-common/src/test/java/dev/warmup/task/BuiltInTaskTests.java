package dev.warmup.task;

import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

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

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Test
	void coreThreadsAreStarted() {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		executor.setCorePoolSize(3);
		executor.initialize();
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("executor", executor);
		for (int run = 0; run < 2; run++) {
			complete(new TaskConfiguration().warmupExecutorTask(beans));
			assertThat(executor.getPoolSize()).isEqualTo(3);
		}
		executor.shutdown();
	}

	@Test
	void namesOfGatewaysAreResolved() {
		complete(new DnsTask(GatewayLocator.fixed(URI.create("http://localhost:8080"))));
		complete(new DnsTask(GatewayLocator.fixed(URI.create("http://127.0.0.1:8080"))));
	}

	@Test
	void aNameThatDoesNotResolveIsReported() {
		StepVerifier.create(new DnsTask(GatewayLocator.fixed(URI.create("http://gateway.invalid"))).run())
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(UnknownHostException.class)
				.hasMessageContaining("gateway.invalid"))
			.verify(PATIENCE);
	}

	@Test
	void withoutAGatewayThereIsNoNameToResolve() {
		GatewayLocator locator = Mockito.mock();
		Mockito.when(locator.locate())
			.thenReturn(Mono.just(List.of()))
			.thenReturn(Mono.error(new IllegalStateException("no registry")));
		complete(new DnsTask(locator));
		complete(new DnsTask(locator));
	}

	private static void complete(WarmupTask task) {
		StepVerifier.create(task.run()).expectComplete().verify(PATIENCE);
	}

}
