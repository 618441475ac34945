package dev.warmup.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.warmup.CapturedLog;
import dev.warmup.GateOpened;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupContext;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.InvalidCatalogException;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.gateway.Fleet;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.run.WarmupRunner;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.registry.DefaultHealthContributorRegistry;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryProperties;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.io.Resource;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Named.named;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Which part an application plays, what gives way to its own beans, and what it can do
 * without.
 */
class WarmupAutoConfigurationTests {

	private static final String URL = "warmup.gateway.url=http://gateway:8000";

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway();

	static Stream<Named<AbstractApplicationContextRunner<?, ?, ?>>> services() {
		return Stream.of(named("reactive", Warmup.reactiveService()), named("servlet", Warmup.servletService()),
				named("reactive, gateway on the class path but off",
						Warmup.gateway().withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")),
				named("servlet, gateway on the class path",
						new WebApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())));
	}

	@ParameterizedTest
	@MethodSource("services")
	void serviceRunsAndIsNotReadyAtFirst(AbstractApplicationContextRunner<?, ?, ?> each) {
		each.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(WarmupRunner.class)).hasSize(1);
			assertThat(context.getBeansOfType(Fleet.class)).isEmpty();
			assertThat(context.getBean(Gate.class).isOpen()).isFalse();
		});
	}

	@ParameterizedTest
	@CsvSource({ "true, 1", "false, 0" })
	void openingOfTheGateIsPublishedOnceAndNotWhereItIsOpenFromTheStart(boolean enabled, int published) {
		List<ApplicationEvent> events = new ArrayList<>();
		this.service.withPropertyValues("warmup.gate.enabled=" + enabled).run((context) -> {
			context.getSourceApplicationContext().addApplicationListener((ApplicationEvent event) -> events.add(event));
			Gate gate = context.getBean(Gate.class);
			gate.onCompleted(Optional.empty());
			gate.onDeadline();
			assertThat(gate.isOpen()).isTrue();
		});
		assertThat(events)
			.filteredOn((event) -> event instanceof PayloadApplicationEvent<?> payload
					&& payload.getPayload() instanceof GateOpened)
			.hasSize(published);
	}

	@Test
	void gatewayIsClosedUntilWarmedWhereThereIsDiscoveryAndOpenWithout() {
		this.gateway.run((context) -> assertThat(context.getBean(Gate.class).isOpen()).isTrue());
		this.gateway.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
			.run((context) -> assertThat(context.getBean(Gate.class).isOpen()).isFalse());
	}

	@ParameterizedTest
	@MethodSource("services")
	void disabledServiceOnlyAnswersProbesAndReadsNoCatalog(AbstractApplicationContextRunner<?, ?, ?> each) {
		each.withPropertyValues("warmup.enabled=false", "warmup.catalog=file:/no/such/catalog.yml").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(WarmupRunner.class)).isEmpty();
			assertThat(context.getBeansOfType(ClaimVerifier.class)).isEmpty();
			assertThat(context).doesNotHaveBean("warmupClientMark");
			assertThat(context.getBean(Gate.class).isOpen()).isTrue();
		});
	}

	/** Spring Cloud Function would bind it, or no longer bind the application's own. */
	@ParameterizedTest
	@MethodSource("applications")
	void noBeanIsAFunction(AbstractApplicationContextRunner<?, ?, ?> each) {
		each.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Supplier.class)
			.doesNotHaveBean(Function.class)
			.doesNotHaveBean(Consumer.class));
	}

	static Stream<Named<AbstractApplicationContextRunner<?, ?, ?>>> applications() {
		return Stream.concat(services(), Stream.of(named("gateway", Warmup.gateway())));
	}

	@Test
	void applicationWithoutWebServerOnlyKnowsWhoItIs() {
		new ApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Instance.Source.class)
				.doesNotHaveBean(WarmupRunner.class)
				.doesNotHaveBean(Gate.class) // which a web application in a child context
												// has
				.doesNotHaveBean("warmupProtocolWebFilter"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.actuate", "org.springframework.boot.health", "io.micrometer",
			"org.springframework.cloud", "org.springframework.cloud.loadbalancer", "com.netflix", "jakarta.servlet",
			"com.zaxxer.hikari", "io.r2dbc", "io.github.resilience4j", "org.springframework.boot.restclient",
			"org.springframework.boot.webclient" })
	void applicationsDoWithout(String hidden) {
		Warmup.reactiveService(hidden)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupRunner.class));
		if (!hidden.equals("jakarta.servlet")) {
			Warmup.servletService(hidden)
				.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupRunner.class));
		}
		if (!hidden.equals("org.springframework.cloud")) {
			this.gateway.withClassLoader(new FilteredClassLoader(hidden))
				.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Fleet.class));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { CatalogSource.class, GatewayLocator.class, InstanceLookup.class })
	<T> void extensionPointGivesWay(Class<T> type) {
		T own = mock(type, Answers.RETURNS_DEEP_STUBS);
		ReactiveWebApplicationContextRunner application = (type != InstanceLookup.class) ? this.service : this.gateway;
		boolean reading = type != CatalogSource.class;
		application.withPropertyValues(reading ? Warmup.CATALOG : "warmup.catalog=file:/no/such/catalog.yml")
			.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
			.withBean("own", type, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean(type).isSameAs(own));
	}

	@ParameterizedTest
	@ValueSource(classes = { Instance.Source.class, ClaimVerifier.class })
	<T> void internalBeanStaysBesideAnApplicationsOwn(Class<T> type) {
		T own = mock(type);
		Stream.of(this.service, this.gateway)
			.forEach((each) -> each.withBean("own", type, () -> own)
				.run((context) -> assertThat(context).hasNotFailed().getBean(type).isNotSameAs(own)));
	}

	@Test
	void instanceIsNamedAsInDiscoveryByThePrimaryRegistrationOfSeveral() {
		Registration registration = mock(Registration.class);
		given(registration.getInstanceId()).willReturn("host:chat:1");
		ReactiveWebApplicationContextRunner one = this.service.withPropertyValues("spring.application.name=chat")
			.withBean("one", Registration.class, () -> registration, (definition) -> definition.setPrimary(true));
		Stream.of(one, one.withBean("other", Registration.class, () -> mock(Registration.class)))
			.forEach((each) -> each.run((context) -> assertThat(context.getBean(Instance.Source.class).get())
				.isEqualTo(new Instance("chat", "host:chat:1"))));
		try (CapturedLog log = CapturedLog.of(WarmupAutoConfiguration.class)) {
			this.service.withBean("one", Registration.class, () -> registration)
				.withBean("other", Registration.class, () -> registration)
				.run((context) -> {
					Instance.Source self = context.getBean(Instance.Source.class);
					assertThat(self.get()).isEqualTo(self.get());
					assertThat(self.get().instanceId()).isNotEqualTo("host:chat:1");
				});
			assertThat(log.lines()).singleElement().asString().startsWith("WARN").contains("@Primary");
		}
	}

	/** Reactor's clients only where the application asks for them, or has them itself. */
	@Test
	void servletApplicationsClientsStayWhatTheyWere() {
		WebApplicationContextRunner plain = Warmup.servletService("org.apache.hc", "org.springframework.boot.webflux");
		assertClientsAre(JdkClientHttpRequestFactoryBuilder.class, plain);
		assertClientsAre(JdkClientHttpRequestFactoryBuilder.class, plain.withPropertyValues("warmup.enabled=false"));
		assertClientsAre(ReactorClientHttpRequestFactoryBuilder.class,
				plain.withPropertyValues("spring.http.clients.imperative.factory=reactor"));
		assertClientsAre(ReactorClientHttpRequestFactoryBuilder.class, Warmup.servletService("org.apache.hc"));
		assertClientsAre(HttpComponentsClientHttpRequestFactoryBuilder.class,
				Warmup.servletService("org.springframework.boot.webflux"));
	}

	private static void assertClientsAre(Class<?> type, WebApplicationContextRunner application) {
		application.withConfiguration(AutoConfigurations.of(ImperativeHttpClientAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(ClientHttpRequestFactoryBuilder.class)).isInstanceOf(type));
	}

	@Test
	void gatewaysUrlWinsOverDiscovery() {
		ReactiveWebApplicationContextRunner discovering = this.service.withBean(DiscoveryClient.class,
				() -> mock(DiscoveryClient.class));
		discovering.withPropertyValues(URL)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.isEqualTo("http://gateway:8000"));
		discovering.withPropertyValues("warmup.gateway.service-id=edge", "warmup.gateway.url=")
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).description())
				.isEqualTo("service 'edge' in discovery"));
	}

	/**
	 * Spring Cloud has a client for instances in properties also where there are none.
	 */
	@Test
	void withoutUrlAndRegistryThereIsNoGateway() {
		ReactiveWebApplicationContextRunner empty = this.service.withBean(DiscoveryClient.class,
				() -> new CompositeDiscoveryClient(
						List.of(new SimpleDiscoveryClient(new SimpleDiscoveryProperties()))));
		Stream.of(this.service, empty)
			.forEach((service) -> service
				.run((context) -> assertThat(context.getBean(GatewayLocator.class).isAvailable()).isFalse()));
		empty.withPropertyValues(URL)
			.run((context) -> assertThat(context.getBean(GatewayLocator.class).isAvailable()).isTrue());
	}

	@Test
	void gatewaysAreLocatedWhileLookUpsOfInstancesHang() {
		CompletableFuture<Void> over = new CompletableFuture<>();
		this.service.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class)).run((context) -> {
			Scheduler lookups = context.getBean("warmupLookups", Scheduler.class);
			IntStream.range(0, 50).forEach((i) -> lookups.schedule(over::join));
			try {
				StepVerifier.create(context.getBean(GatewayLocator.class).locate())
					.expectNext(List.of())
					.expectComplete()
					.verify(Duration.ofSeconds(10));
			}
			finally {
				over.complete(null);
			}
		});
	}

	@Test
	void unsignedMarkCountsIfThatIsConfigured() {
		MockServerWebExchange marked = MockServerWebExchange
			.from(MockServerHttpRequest.get("/rooms").header("X-Warmup", "instance=orders-1; run=r-1"));
		this.service.withPropertyValues("warmup.marks.unsigned=accept")
			.run((context) -> StepVerifier
				.create(context.getBean("warmupWebFilter", WebFilter.class).filter(marked, (exchange) -> Mono.empty()))
				.expectComplete()
				.verify(Duration.ofSeconds(30)));
		assertThat(marked.<WarmupContext>getAttribute(WarmupContext.ATTRIBUTE))
			.isEqualTo(new WarmupContext("orders-1", "r-1"));
	}

	@Test
	void idleInstanceWaitsLongerByAShareThatIsItsOwn() {
		Duration after = Duration.ofMinutes(30);
		this.service.withPropertyValues("warmup.idle.jitter=0")
			.run((context) -> assertThat(context.getBean(IdleSchedule.class).delay()).isEqualTo(after));
		this.service.withPropertyValues("warmup.idle.jitter=0.5").run((context) -> {
			IdleSchedule schedule = context.getBean(IdleSchedule.class);
			assertThat(schedule.after()).isEqualTo(after);
			assertThat(schedule.delay()).isBetween(after.plusNanos(1), Duration.ofMinutes(45));
		});
	}

	@Test
	void actuatorIsNoUsersTraffic() {
		PathMappedEndpoints endpoints = mock(PathMappedEndpoints.class);
		given(endpoints.getBasePath()).willReturn("/manage");
		this.service.withBean(PathMappedEndpoints.class, () -> endpoints)
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes()).contains("/manage"));
		Warmup.servletService()
			.withBean(PathMappedEndpoints.class, () -> endpoints)
			.withPropertyValues("spring.mvc.servlet.path=/api")
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes()).contains("/api/manage"));
	}

	@Test
	void missingCatalogStopsTheStart() {
		this.service.withPropertyValues("warmup.catalog=classpath:no/such/catalog.yml")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidCatalogException.class)
				.hasMessageContaining("no/such/catalog.yml"));
	}

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void serverOfACatalogThatNeverAnswersDoesNotHoldTheReader() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			URL url = new URL("http", "127.0.0.1", silent.getLocalPort(), "/stage/warmup-requests.yml");
			Resource catalog = new WarmupRunAutoConfiguration.BoundedUrlResource(url);
			Resource body = catalog.createRelative("order.json");
			assertThat(body).isInstanceOf(WarmupRunAutoConfiguration.BoundedUrlResource.class);
			assertThat(body.getURL()).hasPath("/stage/order.json");
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(body::getInputStream);
		}
	}

	@Test
	void tasksDoNotMakeWhatIsLazy() {
		this.service.withBean("lazy", DataSource.class, () -> {
			throw new IllegalStateException("no such database");
		}, (definition) -> definition.setLazyInit(true)).run((context) -> {
			StepVerifier
				.create(Flux.fromIterable(context.getBeansOfType(WarmupTask.class).values()).concatMap(WarmupTask::run))
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("lazy")).isFalse();
		});
	}

	@Test
	void healthIsNotABeanThatEurekasHealthCheckWouldQuery() {
		DefaultHealthContributorRegistry registry = new DefaultHealthContributorRegistry();
		this.service.withBean(HealthContributorRegistry.class, () -> registry)
			.run((context) -> assertThat(context).doesNotHaveBean(HealthContributor.class)
				.hasBean("warmupReadinessGroup"));
		assertThat(registry.getContributor("warmup")).isNotNull();
	}

}
