package dev.warmup.autoconfigure;

import java.net.URI;

import dev.warmup.GatewayLocator;
import dev.warmup.discovery.DiscoveryGatewayLocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class WarmupLocateAutoConfigurationTests {

	private static final String URL = "warmup.gateway.url=http://gateway:8000";

	private static final String DISCOVERY = "service 'gateway' in discovery";

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void urlIsTheGateway() {
		this.service.withPropertyValues(URL)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class))
				.isEqualTo(GatewayLocator.fixed(URI.create("http://gateway:8000"))));
	}

	@Test
	void discoveryIsAskedForTheGateway() {
		this.service.withBean(DiscoveryClient.class, WarmupLocateAutoConfigurationTests::discovery)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description()).isEqualTo(DISCOVERY));
	}

	@Test
	void discoveryIsAskedForTheGatewayByItsName() {
		this.service.withBean(DiscoveryClient.class, WarmupLocateAutoConfigurationTests::discovery)
			.withPropertyValues("warmup.gateway.service-id=edge")
			.run((context) -> assertThat(context.getBean(GatewayLocator.class))
				.isInstanceOf(DiscoveryGatewayLocator.class)
				.extracting(GatewayLocator::description)
				.isEqualTo("service 'edge' in discovery"));
	}

	@Test
	void urlWinsOverDiscovery() {
		this.service.withPropertyValues(URL)
			.withBean(DiscoveryClient.class, WarmupLocateAutoConfigurationTests::discovery)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.isEqualTo("http://gateway:8000"));
	}

	@Test
	void emptyUrlIsNone() {
		this.service.withPropertyValues("warmup.gateway.url=")
			.withBean(DiscoveryClient.class, WarmupLocateAutoConfigurationTests::discovery)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description()).isEqualTo(DISCOVERY));
	}

	@Test
	void emptyUrlIsNoneWithoutDiscovery() {
		this.service.withPropertyValues("warmup.gateway.url=")
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.startsWith("warmup.gateway.url is not set"));
	}

	@Test
	void locatorSaysWhatIsMissingWithoutUrlAndDiscovery() {
		this.service.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
			.isEqualTo("warmup.gateway.url is not set, and there is no discovery client to ask"));
	}

	@Test
	void urlIsTheGatewayWithoutSpringCloud() {
		Warmup.reactiveService("org.springframework.cloud")
			.withPropertyValues(URL)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.isEqualTo("http://gateway:8000"));
	}

	@Test
	void locatorSaysWhatIsMissingWithoutSpringCloud() {
		Warmup.reactiveService("org.springframework.cloud")
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.startsWith("warmup.gateway.url is not set"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "warmup.gateway.url=http://gateway:8000", "warmup.enabled=true" })
	void locatorGivesWay(String property) {
		GatewayLocator own = GatewayLocator.none("mine");
		this.service.withPropertyValues(property)
			.withBean(DiscoveryClient.class, WarmupLocateAutoConfigurationTests::discovery)
			.withBean(GatewayLocator.class, () -> own)
			.run((context) -> assertThat(context).getBean(GatewayLocator.class).isSameAs(own));
	}

	@Test
	void gatewayLooksForNoGateway() {
		Warmup.gateway()
			.withPropertyValues(URL)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayLocator.class));
	}

	@Test
	void nobodyLooksForAGatewayWhenDisabled() {
		this.service.withPropertyValues(URL, "warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayLocator.class));
	}

	private static DiscoveryClient discovery() {
		return mock(DiscoveryClient.class);
	}

}
