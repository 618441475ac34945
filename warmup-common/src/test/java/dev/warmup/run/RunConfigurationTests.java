package dev.warmup.run;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;

class RunConfigurationTests {

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
