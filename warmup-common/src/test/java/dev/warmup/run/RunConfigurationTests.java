package dev.warmup.run;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;

class RunConfigurationTests {

	/** A wait for a connection would count as latency of the instance. */
	@Test
	void asManyRequestsAsScenariosMayGoInParallelAreInFlightAtOnce() {
		AtomicInteger inFlight = new AtomicInteger();
		Sinks.Empty<Void> all = Sinks.empty();
		DisposableServer server = HttpServer.create().host("localhost").handle((request, response) -> {
			if (inFlight.incrementAndGet() == 60) {
				all.tryEmitEmpty().orThrow();
			}
			return all.asMono().then(response.status(204).send());
		}).bindNow();
		try (RunConfiguration.WarmupHttpClient http = new RunConfiguration().warmupHttpClient()) {
			StepVerifier
				.create(Flux.range(0, 60)
					.flatMap((i) -> http.client().get().uri("http://localhost:" + server.port()).response(), 60))
				.expectNextCount(60)
				.expectComplete()
				.verify(Duration.ofSeconds(30));
		}
		finally {
			server.disposeNow();
		}
	}

	@ParameterizedTest
	@EnumSource
	void usersAreAcceptedAsTheApplicationsReadinessIs(ReadinessState state) {
		ApplicationAvailability availability = Mockito.mock(ApplicationAvailability.class);
		Mockito.when(availability.getReadinessState()).thenReturn(state);
		StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("availability", availability));
		StepVerifier
			.create(new RunConfiguration()
				.warmupApplicationReadiness(beans.getBeanProvider(ApplicationAvailability.class))
				.acceptsUsers())
			.expectNext(state == ReadinessState.ACCEPTING_TRAFFIC)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

}
