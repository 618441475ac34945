package dev.warmup.autoconfigure;

import dev.warmup.asked.AskedRuns;
import dev.warmup.asked.AskedServletFilter;
import dev.warmup.asked.AskedWebFilter;
import dev.warmup.traffic.WarmupServletFilter;
import dev.warmup.traffic.WarmupWebFilter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupAskedAutoConfigurationTests {

	@Test
	void reactiveServiceCanBeAskedAheadOfTheFilterThatTellsWarmupFromUsers() {
		Warmup.reactiveService().run((context) -> {
			assertThat(context).hasSingleBean(AskedWebFilter.class).doesNotHaveBean("warmupAskedServletFilter");
			assertThat(context.getBean(AskedWebFilter.class).getOrder()).isLessThan(WarmupWebFilter.ORDER);
		});
	}

	@Test
	void servletServiceCanBeAskedAheadOfTheFilterThatTellsWarmupFromUsers() {
		Warmup.servletService().run((context) -> {
			assertThat(context).doesNotHaveBean(AskedWebFilter.class);
			FilterRegistrationBean<?> filter = context.getBean("warmupAskedServletFilter",
					FilterRegistrationBean.class);
			assertThat(filter.getFilter()).isInstanceOf(AskedServletFilter.class);
			assertThat(filter.getUrlPatterns()).containsExactly("/.warmup/gateways/*");
			assertThat(filter.getOrder()).isLessThan(WarmupServletFilter.ORDER);
		});
	}

	@Test
	void gatewayCannotBeAsked() {
		Warmup.gateway().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AskedRuns.class));
	}

	@Test
	void serviceThatIsDisabledCannotBeAsked() {
		Warmup.reactiveService()
			.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AskedRuns.class));
	}

	@Test
	void serviceWithoutDiscoveryClassesCannotBeAsked() {
		Warmup.reactiveService("org.springframework.cloud.client")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AskedRuns.class));
	}

	@Test
	void eachBeanGivesWay() {
		Warmup.reactiveService().run((other) -> {
			AskedRuns runs = other.getBean(AskedRuns.class);
			Warmup.reactiveService()
				.withBean("mine", AskedRuns.class, () -> runs)
				.run((context) -> assertThat(context).getBean(AskedRuns.class).isSameAs(runs));
			AskedWebFilter filter = new AskedWebFilter(runs);
			Warmup.reactiveService()
				.withBean("mine", AskedWebFilter.class, () -> filter)
				.run((context) -> assertThat(context).getBean(AskedWebFilter.class).isSameAs(filter));
			FilterRegistrationBean<AskedServletFilter> registration = new FilterRegistrationBean<>(
					new AskedServletFilter(runs));
			Warmup.servletService()
				.withBean("warmupAskedServletFilter", FilterRegistrationBean.class, () -> registration)
				.run((context) -> assertThat(context).getBean("warmupAskedServletFilter").isSameAs(registration));
		});
	}

}
