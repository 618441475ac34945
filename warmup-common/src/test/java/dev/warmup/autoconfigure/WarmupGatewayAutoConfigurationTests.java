package dev.warmup.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import dev.warmup.actuate.GatewayMeters;
import dev.warmup.actuate.GatewayWarmupEndpoint;
import dev.warmup.actuate.WarmupTagsProvider;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.ProtocolFilter;
import dev.warmup.gateway.RunReports;
import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.UserActivity;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupGatewayAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway();

	@Test
	void gatewayHasItsParts() {
		this.gateway.run((context) -> assertThat(context).hasSingleBean(Fleet.class)
			.hasSingleBean(ClaimVerifier.class)
			.hasSingleBean(WarmupGlobalFilter.class)
			.hasSingleBean(ProtocolFilter.class)
			.doesNotHaveBean(GatewayMeters.class));
	}

	@Test
	void serviceHasNoneOfThem() {
		Warmup.reactiveService()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Fleet.class)
				.doesNotHaveBean(WarmupGlobalFilter.class)
				.doesNotHaveBean(ProtocolFilter.class));
	}

	@Test
	void servletApplicationHasNoneOfThem() {
		new WebApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Fleet.class));
	}

	@Test
	void gatewayOnlyAnswersProbesWhenDisabled() {
		this.gateway.withPropertyValues("warmup.enabled=false", Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("warmupReadyWebFilter")
				.doesNotHaveBean(Fleet.class)
				.doesNotHaveBean(WarmupGlobalFilter.class)
				.doesNotHaveBean(ProtocolFilter.class)
				.doesNotHaveBean(GatewayWarmupEndpoint.class));
	}

	@Test
	void fleetGivesWay() {
		Fleet own = new Fleet(Clock.systemUTC());
		this.gateway.withBean(Fleet.class, () -> own)
			.run((context) -> assertThat(context).getBean(Fleet.class).isSameAs(own));
	}

	@Test
	void globalFilterGivesWay() {
		WarmupGlobalFilter own = new WarmupGlobalFilter((claim) -> Mono.just(new Verification.Rejected()),
				new Fleet(Clock.systemUTC()), new UserActivity(Clock.systemUTC()), List.of(),
				() -> JvmReading.now("mine", 1));
		this.gateway.withBean(WarmupGlobalFilter.class, () -> own)
			.run((context) -> assertThat(context).getBean(WarmupGlobalFilter.class).isSameAs(own));
	}

	@Test
	void doorGivesWay() {
		ProtocolFilter own = new ProtocolFilter(() -> "mine", (claim) -> Mono.just(new Verification.Rejected()),
				new RunReports(new Fleet(Clock.systemUTC()), Optional.empty(), List.of()), Optional.empty());
		this.gateway.withBean(ProtocolFilter.class, () -> own)
			.run((context) -> assertThat(context).getBean(ProtocolFilter.class).isSameAs(own));
	}

	@Test
	void gatewayWithARegistryPublishesMeters() {
		this.gateway.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(GatewayMeters.class)
				.hasSingleBean(WarmupTagsProvider.class));
	}

	@Test
	void metersGiveWay() {
		GatewayMeters own = new GatewayMeters(new SimpleMeterRegistry());
		this.gateway.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(GatewayMeters.class, () -> own)
			.run((context) -> assertThat(context).getBean(GatewayMeters.class).isSameAs(own));
	}

	@Test
	void tagsProviderGivesWay() {
		WarmupTagsProvider own = new WarmupTagsProvider();
		this.gateway.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(WarmupTagsProvider.class, () -> own)
			.run((context) -> assertThat(context).getBean(WarmupTagsProvider.class).isSameAs(own));
	}

	@Test
	void gatewayDoesWithoutMicrometer() {
		this.gateway.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupGlobalFilter.class)
				.doesNotHaveBean(GatewayMeters.class));
	}

	@Test
	void gatewayHasTheEndpointWhereItIsExposed() {
		this.gateway.withPropertyValues(Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(GatewayWarmupEndpoint.class));
		this.gateway.run((context) -> assertThat(context).doesNotHaveBean(GatewayWarmupEndpoint.class));
	}

	@Test
	void endpointGivesWay() {
		this.gateway.withPropertyValues(Warmup.EXPOSED).run((other) -> {
			GatewayWarmupEndpoint own = other.getBean(GatewayWarmupEndpoint.class);
			this.gateway.withPropertyValues(Warmup.EXPOSED)
				.withBean("mine", GatewayWarmupEndpoint.class, () -> own)
				.run((context) -> assertThat(context).getBean(GatewayWarmupEndpoint.class).isSameAs(own));
		});
	}

	@Test
	void gatewayDoesWithoutActuator() {
		this.gateway.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.withPropertyValues(Warmup.EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupGlobalFilter.class)
				.doesNotHaveBean(GatewayWarmupEndpoint.class));
	}

}
