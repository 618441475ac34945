package dev.warmup.registry;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;

import dev.warmup.Contexts;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.protocol.Announcement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistrationAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaClientAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaDiscoveryClientConfiguration;
import org.springframework.cloud.netflix.eureka.config.DiscoveryClientOptionalArgsConfiguration;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** What there is with Eureka's client and without; nothing here reaches a server. */
class WarmupRegistryAutoConfigurationTests {

	private static final String SECRET = "warmup.secret=0123456789abcdef0123456789abcdef";

	private static final String URL = "warmup.gateway.url=http://gateway:8000";

	private final ReactiveWebApplicationContextRunner withEureka = eureka(Contexts.reactiveService());

	private static ReactiveWebApplicationContextRunner eureka(ReactiveWebApplicationContextRunner application) {
		return application
			.withConfiguration(AutoConfigurations.of(UtilAutoConfiguration.class, RefreshAutoConfiguration.class,
					EurekaClientAutoConfiguration.class, EurekaDiscoveryClientConfiguration.class,
					DiscoveryClientOptionalArgsConfiguration.class, AutoServiceRegistrationAutoConfiguration.class))
			.withPropertyValues("eureka.client.jersey.enabled=false", "eureka.client.fetch-registry=false",
					"server.port=0");
	}

	@ParameterizedTest
	@CsvSource({ "'', gateways in Eureka, true", "warmup.gateway.service-id=edge, edge, true",
			"warmup.gateway.url=http://gateway:8000, http://gateway:8000, true",
			"eureka.client.register-with-eureka=false, register-with-eureka, false",
			"spring.cloud.service-registry.auto-registration.enabled=false, auto-registration, false" })
	void gatewaysAreFoundInEurekaUnlessOneIsConfiguredOrNoneCouldFindThisInstance(String property, String description,
			boolean available) {
		this.withEureka.withPropertyValues(property.isEmpty() ? "a=b" : property)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(GatewayLocator.class)
				.returns(available, GatewayLocator::isAvailable)
				.extracting(GatewayLocator::description)
				.asString()
				.contains(description));
	}

	@Test
	void withoutEurekaThereIsOnlyTheGatewayThatIsConfigured() {
		for (ReactiveWebApplicationContextRunner bare : new ReactiveWebApplicationContextRunner[] {
				Contexts.reactiveService(), Contexts.reactiveService("com.netflix", "org.springframework.cloud") }) {
			bare.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Registry.class);
				assertThat(context.getBean(GatewayLocator.class).isAvailable()).isFalse();
			});
			bare.withPropertyValues(URL)
				.run((context) -> assertThat(
						context.getBean(GatewayLocator.class).locate().block(Duration.ofSeconds(30)))
					.extracting(Gateway::id)
					.containsExactly("http://gateway:8000"));
		}
	}

	@Test
	void gatewayHasTheRegistryAndIsNotToldToLookForGateways() {
		eureka(Contexts.gateway()).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Registry.class).hasSingleBean(EurekaStatus.class);
			assertThat(context.getBean(GatewayLocator.class).isAvailable()).isFalse();
		});
	}

	@Test
	void locatorOfTheApplicationReplacesTheLibrarys() {
		GatewayLocator own = mock(GatewayLocator.class);
		Stream.of(this.withEureka, Contexts.reactiveService())
			.forEach((each) -> each.withBean("own", GatewayLocator.class, () -> own)
				.run((context) -> assertThat(context).getBean(GatewayLocator.class).isSameAs(own)));
	}

	@Test
	void withASecretAServiceWithoutEurekaAnnouncesItselfBelowItsBasePath() {
		Contexts.reactiveService()
			.withPropertyValues("warmup.gateway.url=http://127.0.0.1:8000", SECRET, "spring.webflux.base-path=shop/",
					"local.server.port=8081", "spring.application.name=Orders")
			.run((context) -> {
				assertThat(announced(context, "http://127.0.0.1:8000"))
					.isEqualTo(new Announcement("orders", URI.create("http://127.0.0.1:8081/shop")));
				assertThat(context.getBean(GatewayLocator.class).locate().block(Duration.ofSeconds(30)))
					.extracting(Gateway::id)
					.containsExactly("127.0.0.1:8000");
			});
		Contexts.servletService()
			.withPropertyValues("warmup.gateway.url=https://127.0.0.1", SECRET, "warmup.instance.address=2001:db8::7",
					"server.ssl.bundle=any", "server.port=8443")
			.run((context) -> assertThat(announced(context, "https://127.0.0.1").address())
				.isEqualTo(URI.create("https://[2001:db8::7]:8443")));
	}

	private static Announcement announced(ApplicationContext context, String gateway) throws IOException {
		return JsonMapper.shared()
			.readValue(context.getBean(Announcer.class).announce(URI.create(gateway)).body(), Announcement.class);
	}

	@Test
	void nothingIsAnnouncedWithEurekaOrWithoutASecretOrAGateway() {
		this.withEureka.withPropertyValues(URL, SECRET)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Announcer.class));
		Contexts.reactiveService()
			.withPropertyValues(URL)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Announcer.class));
		Contexts.reactiveService()
			.withPropertyValues(SECRET)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Announcer.class));
		eureka(Contexts.gateway()).withPropertyValues(SECRET)
			.run((context) -> assertThat(context).hasSingleBean(Registry.class).hasSingleBean(EurekaRegistry.class));
	}

	@Test
	void aGatewayWithoutEurekaHasTheInstancesThatAnnounceThemselves() {
		Contexts.gateway()
			.withPropertyValues(SECRET)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(Registry.class)
				.isInstanceOf(AnnouncedInstances.class));
	}

	@Test
	void aSecretThatIsTooShortStopsTheStartAndIsNotNamed() {
		String shorter = "31 bytes, which is one too few.";
		Contexts.reactiveService()
			.withPropertyValues(URL, "warmup.secret=" + shorter)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("warmup.secret is too short")
				.hasMessageNotContaining(shorter));
		Contexts.gateway()
			.withPropertyValues("warmup.secret=" + shorter)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("warmup.secret is too short"));
	}

	@Test
	void nothingIsThereWhereWarmupIsOff() {
		this.withEureka.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Registry.class)
				.doesNotHaveBean(EurekaStatus.class)
				.doesNotHaveBean(GatewayLocator.class));
	}

}
