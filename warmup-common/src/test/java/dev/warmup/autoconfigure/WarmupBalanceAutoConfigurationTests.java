package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.loadbalancer.AnnouncedInstances;
import dev.warmup.loadbalancer.AwaitedRoutes;
import dev.warmup.loadbalancer.AwaitedServices;
import dev.warmup.loadbalancer.LoadBalancers;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.loadbalancer.UnreachableInstanceFilter;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableReactiveWebApplicationContext;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class WarmupBalanceAutoConfigurationTests {

	private static final ReactiveDiscoveryClient REGISTRY = mock(ReactiveDiscoveryClient.class, Mockito.RETURNS_MOCKS);

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway();

	private final ReactiveWebApplicationContextRunner locating = this.gateway
		.withBean(ReactiveDiscoveryClient.class, () -> REGISTRY)
		.withBean(DiscoveryLocatorProperties.class, DiscoveryLocatorProperties::new)
		.withBean(DiscoveryClientRouteDefinitionLocator.class,
				() -> new DiscoveryClientRouteDefinitionLocator(REGISTRY, new DiscoveryLocatorProperties()));

	@Test
	void gatewayHasItsParts() {
		this.gateway.run((context) -> assertThat(context).hasSingleBean(AnnouncedInstances.class)
			.hasSingleBean(RoutableInstances.class)
			.hasSingleBean(LoadBalancers.class)
			.hasSingleBean(UnreachableInstanceFilter.class)
			.hasSingleBean(PinningPostProcessor.class)
			.doesNotHaveBean(AwaitedServices.class)
			.doesNotHaveBean(AwaitedRoutes.class));
	}

	@Test
	void gatewayWithRoutesFromDiscoveryAwaitsServices() {
		this.locating.run((context) -> assertThat(context).hasSingleBean(AwaitedServices.class)
			.hasSingleBean(AwaitedRoutes.class)
			.hasSingleBean(ReactiveDiscoveryClient.class)
			.hasSingleBean(DiscoveryClientRouteDefinitionLocator.class));
	}

	@Test
	void serviceHasNoneOfThem() {
		Warmup.reactiveService().run(WarmupBalanceAutoConfigurationTests::hasNone);
	}

	@Test
	void servletApplicationHasNoneOfThem() {
		new WebApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RoutableInstances.class));
	}

	@Test
	void gatewayWithoutALoadBalancerHasNoneOfThem() {
		this.gateway.withClassLoader(new FilteredClassLoader(LoadBalancerClientFactory.class))
			.run(WarmupBalanceAutoConfigurationTests::hasNone);
	}

	@Test
	void disabledGatewayHasNoneOfThem() {
		this.gateway.withPropertyValues("warmup.enabled=false").run(WarmupBalanceAutoConfigurationTests::hasNone);
	}

	private static void hasNone(AssertableReactiveWebApplicationContext context) {
		assertThat(context).hasNotFailed()
			.doesNotHaveBean(AnnouncedInstances.class)
			.doesNotHaveBean(RoutableInstances.class)
			.doesNotHaveBean(UnreachableInstanceFilter.class)
			.doesNotHaveBean(PinningPostProcessor.class);
	}

	@Test
	void announcedInstancesGiveWay() {
		givesWay(AnnouncedInstances.class, new AnnouncedInstances(Clock.systemUTC()));
	}

	@Test
	void routableInstancesGiveWay() {
		givesWay(RoutableInstances.class, mock(RoutableInstances.class));
	}

	@Test
	void loadBalancersGiveWay() {
		this.gateway.run((other) -> givesWay(LoadBalancers.class, other.getBean(LoadBalancers.class)));
	}

	@Test
	void filterGivesWay() {
		givesWay(UnreachableInstanceFilter.class,
				new UnreachableInstanceFilter(new AnnouncedInstances(Clock.systemUTC())));
	}

	@Test
	@SuppressWarnings("unchecked")
	void postProcessorGivesWay() {
		givesWay(PinningPostProcessor.class,
				new PinningPostProcessor(mock(ObjectProvider.class), mock(ObjectProvider.class)));
	}

	@Test
	void awaitedServicesGiveWay() {
		this.locating.run((other) -> givesWay(AwaitedServices.class, other.getBean(AwaitedServices.class)));
	}

	@Test
	void awaitedRoutesGiveWay() {
		this.locating.run((other) -> givesWay(AwaitedRoutes.class, other.getBean(AwaitedRoutes.class)));
	}

	@Test
	void supplierOfTheWholeApplicationIsPinnedToo() {
		ServiceInstanceListSupplier own = mock(ServiceInstanceListSupplier.class);
		this.gateway.withBean(ServiceInstanceListSupplier.class, () -> own)
			.run((context) -> assertThat(context).getBean(ServiceInstanceListSupplier.class)
				.isInstanceOfSatisfying(DelegatingServiceInstanceListSupplier.class,
						(pinned) -> assertThat(pinned.getDelegate()).isSameAs(own)));
	}

	private <T> void givesWay(Class<T> type, T own) {
		this.locating.withBean("mine", type, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean(type).isSameAs(own));
	}

}
