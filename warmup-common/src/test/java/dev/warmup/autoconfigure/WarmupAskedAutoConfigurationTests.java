package dev.warmup.autoconfigure;

import dev.warmup.web.GatewayWarmupServletFilter;
import dev.warmup.web.GatewayWarmupWebFilter;
import dev.warmup.web.GatewayWarmups;
import dev.warmup.web.WarmupServletFilter;
import dev.warmup.web.WarmupWebFilter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupAskedAutoConfigurationTests {

	@Test
	void reactiveServiceCanBeAskedAheadOfTheFilterThatTellsWarmupFromUsers() {
		Warmup.reactiveService().run((context) -> {
			assertThat(context).hasSingleBean(GatewayWarmupWebFilter.class).doesNotHaveBean("warmupAskedServletFilter");
			assertThat(context.getBean(GatewayWarmupWebFilter.class).getOrder()).isLessThan(WarmupWebFilter.ORDER);
		});
	}

	@Test
	void servletServiceCanBeAskedAheadOfTheFilterThatTellsWarmupFromUsers() {
		Warmup.servletService().run((context) -> {
			assertThat(context).doesNotHaveBean(GatewayWarmupWebFilter.class);
			FilterRegistrationBean<?> filter = context.getBean("warmupAskedServletFilter",
					FilterRegistrationBean.class);
			assertThat(filter.getFilter()).isInstanceOf(GatewayWarmupServletFilter.class);
			assertThat(filter.getUrlPatterns()).containsExactly("/.warmup/gateways/*");
			assertThat(filter.getOrder()).isLessThan(WarmupServletFilter.ORDER);
		});
	}

	@Test
	void gatewayCannotBeAsked() {
		Warmup.gateway().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmups.class));
	}

	@Test
	void serviceThatIsDisabledCannotBeAsked() {
		Warmup.reactiveService()
			.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmups.class));
	}

	@Test
	void serviceWithoutDiscoveryClassesCannotBeAsked() {
		Warmup.reactiveService("org.springframework.cloud.client")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmups.class));
	}

	@Test
	void eachBeanGivesWay() {
		Warmup.reactiveService().run((other) -> {
			GatewayWarmups runs = other.getBean(GatewayWarmups.class);
			Warmup.reactiveService()
				.withBean("mine", GatewayWarmups.class, () -> runs)
				.run((context) -> assertThat(context).getBean(GatewayWarmups.class).isSameAs(runs));
			GatewayWarmupWebFilter filter = new GatewayWarmupWebFilter(runs);
			Warmup.reactiveService()
				.withBean("mine", GatewayWarmupWebFilter.class, () -> filter)
				.run((context) -> assertThat(context).getBean(GatewayWarmupWebFilter.class).isSameAs(filter));
			FilterRegistrationBean<GatewayWarmupServletFilter> registration = new FilterRegistrationBean<>(
					new GatewayWarmupServletFilter(runs));
			Warmup.servletService()
				.withBean("warmupAskedServletFilter", FilterRegistrationBean.class, () -> registration)
				.run((context) -> assertThat(context).getBean("warmupAskedServletFilter").isSameAs(registration));
		});
	}

}
