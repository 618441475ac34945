package dev.warmup.task;

import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

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
		ExecutorTask task = new ExecutorTask(() -> List.of(executor));
		StepVerifier.create(task.run()).expectComplete().verify(PATIENCE);
		assertThat(executor.getPoolSize()).isEqualTo(3);
		StepVerifier.create(task.run()).expectComplete().verify(PATIENCE);
		assertThat(executor.getPoolSize()).isEqualTo(3);
		executor.shutdown();
	}

	@Test
	void connectorIsLoaded() {
		StepVerifier.create(new ConnectorTask(HttpClient.create()).run()).expectComplete().verify(PATIENCE);
	}

	@Test
	void gatewaysNamesAreResolved() {
		StepVerifier.create(new DnsTask(locator(Mono.just(List.of(gateway("localhost"), gateway("127.0.0.1"))))).run())
			.expectComplete()
			.verify(PATIENCE);
	}

	@Test
	void aNameThatDoesNotResolveIsTold() {
		StepVerifier.create(new DnsTask(locator(Mono.just(List.of(gateway("gateway.invalid"))))).run())
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(UnknownHostException.class)
				.hasMessageContaining("gateway.invalid"))
			.verify(PATIENCE);
	}

	@Test
	void withoutAGatewayThereIsNoNameToResolve() {
		for (Mono<List<Gateway>> found : List.<Mono<List<Gateway>>>of(Mono.just(List.of()),
				Mono.error(new IllegalStateException("no registry")))) {
			StepVerifier.create(new DnsTask(locator(found)).run()).expectComplete().verify(PATIENCE);
		}
	}

	private static Gateway gateway(String host) {
		return new Gateway(host, URI.create("http://" + host + ":8080"));
	}

	private static GatewayLocator locator(Mono<List<Gateway>> found) {
		return new GatewayLocator() {

			@Override
			public Mono<List<Gateway>> locate() {
				return found;
			}

			@Override
			public String description() {
				return "gateways of the test";
			}

		};
	}

}
