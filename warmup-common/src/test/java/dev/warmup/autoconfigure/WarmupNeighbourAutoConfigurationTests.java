package dev.warmup.autoconfigure;

import dev.warmup.gateway.Rehearsal;
import dev.warmup.gateway.SharedFilters;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupNeighbourAutoConfigurationTests {

	private static final String ROUTES = "cachedCompositeRouteLocator";

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, GatewayAutoConfiguration.class,
				WebFluxAutoConfiguration.class));

	@Test
	void routesOfTheGatewayAreMadeToBePassed() {
		Route route = Route.async().id("mine").uri("lb://mine").predicate((exchange) -> true).build();
		this.gateway.withBean("mine", RouteLocator.class, () -> () -> Flux.just(route)).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Rehearsal.class).hasBean("warmupSharedFilters");
			assertThat(context.getBean(RouteLocator.class)).isSameAs(context.getBean(ROUTES))
				.isInstanceOf(CachingRouteLocator.class);
			assertThat(context.getBeanFactory().getBeanDefinition(ROUTES).getFactoryBeanName())
				.isEqualTo(WarmupNeighbourAutoConfiguration.class.getName());
			assertThat(context.getBean(RouteLocator.class).getRoutes().collectList().block()).containsExactly(route);
		});
	}

	@Test
	void routesGiveWay() {
		RouteLocator own = Flux::empty;
		this.gateway.withBean(ROUTES, RouteLocator.class, () -> own, (definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).hasNotFailed().getBean(ROUTES).isSameAs(own));
	}

	@Test
	void rehearsalGivesWay() {
		Rehearsal own = new Rehearsal(() -> null, () -> null);
		this.gateway.withBean(Rehearsal.class, () -> own)
			.run((context) -> assertThat(context).getBean(Rehearsal.class).isSameAs(own));
	}

	@Test
	void sharedFiltersGiveWayByTheirName() {
		SharedFilters own = (filter) -> false;
		this.gateway.withBean("warmupSharedFilters", SharedFilters.class, () -> own)
			.run((context) -> assertThat(context).getBean(SharedFilters.class).isSameAs(own));
		this.gateway.withBean("mine", SharedFilters.class, () -> own)
			.run((context) -> assertThat(context.getBeansOfType(SharedFilters.class)).containsOnlyKeys("mine",
					"warmupSharedFilters"));
	}

	@Test
	void nothingOfItIsThereWhenWarmingOrTheGatewayIsOff() {
		this.gateway.withPropertyValues("warmup.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Rehearsal.class).hasBean(ROUTES);
			assertThat(context.getBeanFactory().getBeanDefinition(ROUTES).getFactoryBeanName())
				.isEqualTo(GatewayAutoConfiguration.class.getName());
		});
		this.gateway.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Rehearsal.class)
				.doesNotHaveBean(ROUTES));
	}

	@Test
	void servicesHaveNoneOfIt() {
		Warmup.reactiveService().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ROUTES));
		Warmup.servletService().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ROUTES));
	}

	@Test
	void gatewayDoesWithoutResilience4j() {
		this.gateway.withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
			.run((context) -> assertThat(context).hasNotFailed().hasBean(ROUTES));
	}

}
