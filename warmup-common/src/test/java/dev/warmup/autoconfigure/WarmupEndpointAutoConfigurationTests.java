package dev.warmup.autoconfigure;

import dev.warmup.actuate.GatewayWarmupEndpoint;
import dev.warmup.actuate.WarmupEndpoint;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupEndpointAutoConfigurationTests {

	@Test
	void reactiveServiceHasTheEndpoint() {
		Warmup.reactiveService()
			.withPropertyValues(Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(WarmupEndpoint.class)
				.doesNotHaveBean(GatewayWarmupEndpoint.class));
	}

	@Test
	void servletServiceHasTheEndpoint() {
		Warmup.servletService()
			.withPropertyValues(Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(WarmupEndpoint.class));
	}

	@Test
	void endpointIsNotThereUnlessExposed() {
		Warmup.reactiveService().run((context) -> assertThat(context).doesNotHaveBean(WarmupEndpoint.class));
	}

	@Test
	void endpointIsNotThereWithoutAccess() {
		Warmup.reactiveService()
			.withPropertyValues(Warmup.EXPOSED, "management.endpoint.warmup.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(WarmupEndpoint.class));
	}

	@Test
	void endpointIsNotThereWithoutActuator() {
		Warmup.reactiveService("org.springframework.boot.actuate")
			.withPropertyValues(Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WarmupEndpoint.class));
	}

	@Test
	void endpointIsNotThereWhenDisabled() {
		Warmup.reactiveService()
			.withPropertyValues(Warmup.EXPOSED, "warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WarmupEndpoint.class));
	}

	@Test
	void endpointGivesWay() {
		Warmup.reactiveService().withPropertyValues(Warmup.EXPOSED).run((other) -> {
			WarmupEndpoint own = other.getBean(WarmupEndpoint.class);
			Warmup.reactiveService()
				.withPropertyValues(Warmup.EXPOSED)
				.withBean("mine", WarmupEndpoint.class, () -> own)
				.run((context) -> assertThat(context).getBean(WarmupEndpoint.class).isSameAs(own));
		});
	}

}
