package dev.warmup.run;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.service.Gate;
import dev.warmup.service.MonotonicClock;
import dev.warmup.service.OwnEndpoints;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import dev.warmup.service.WantedRuns;
import dev.warmup.service.WarmupProperties;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.r2dbc.pool.ConnectionPool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupRunAutoConfigurationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final ReactiveWebApplicationContextRunner service = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WarmupRunAutoConfiguration.class))
		.withPropertyValues("warmup.idle.after=100ms", "spring.cloud.gateway.server.webflux.enabled=false")
		.withUserConfiguration(Neighbours.class)
		.withBean(Dormant.class);

	@Test
	void everyBeanHasANameThatNoApplicationHas() {
		this.service.run((context) -> assertThat(Arrays.stream(context.getBeanDefinitionNames())
			.filter((name) -> context.getType(name).getPackageName().equals("dev.warmup.run"))
			.filter((name) -> !context.getType(name).getName().contains("Configuration"))
			.filter((name) -> !context.getType(name).getName().contains("Tests"))).hasSizeGreaterThan(6)
			.allMatch((name) -> name.startsWith("dev.warmup.")));
	}

	@Test
	void aServiceHasRunsAndAnswersGatewaysThatWantThem() {
		this.service.run((context) -> assertThat(context).hasSingleBean(Runs.class)
			.hasSingleBean(WantedRuns.class)
			.hasSingleBean(HikariTask.class)
			.hasSingleBean(R2dbcTask.class));
		this.service.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Runs.class));
	}

	@Test
	void aGatewayHasNoRunsButThoseThroughItselfAndStartsWithABrokenCatalog() {
		ReactiveWebApplicationContextRunner gateway = this.service
			.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=true");
		gateway.run((context) -> assertThat(context).hasSingleBean(OwnEndpoints.class)
			.doesNotHaveBean(Runs.class)
			.doesNotHaveBean(WantedRuns.class)
			.doesNotHaveBean(WarmupTask.class));
		gateway.withPropertyValues("warmup.catalog=classpath:catalog/two-problems.yml")
			.run((context) -> assertThat(context.getBean(CatalogSource.class).current().scenarios()).isEmpty());
	}

	@Test
	void poolsThatTheApplicationDoesNotHaveNeedNoTask() {
		this.service
			.withClassLoader(new FilteredClassLoader(HikariDataSource.class.getName(), ConnectionPool.class.getName()))
			.run((context) -> assertThat(context).hasSingleBean(Runs.class).doesNotHaveBean(WarmupTask.class));
	}

	@Test
	void anApplicationsOwnCatalogReplacesTheFile() {
		Catalog own = RunFixture.catalog("{ name: only, requests: [GET /rooms] }");
		this.service.withBean(CatalogSource.class, () -> () -> own)
			.run((context) -> assertThat(context.getBean(CatalogSource.class).current()).isSameAs(own));
	}

	@Test
	void aCatalogThatIsNamedMustExist() {
		this.service.withPropertyValues("warmup.catalog=classpath:missing.yml")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void gatewaysAreTrustedAndSeeTheCertificateThatTheApplicationsOwnClientsHave(@TempDir Path folder)
			throws Exception {
		Path store = folder.resolve("store.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-keystore",
				store.toString(), "-storetype", "PKCS12", "-storepass", "changeit")
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		String bundle = "spring.ssl.bundle.jks.internal.";
		ReactiveWebApplicationContextRunner secured = this.service
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, HttpClientAutoConfiguration.class))
			.withPropertyValues(bundle + "keystore.location=file:" + store, bundle + "keystore.password=changeit",
					bundle + "truststore.location=file:" + store, bundle + "truststore.password=changeit");
		secured.withPropertyValues("spring.http.clients.ssl.bundle=internal").run((context) -> {
			SslManagerBundle keys = context.getBean(SslBundles.class).getBundle("internal").getManagers();
			SslContext tls = SslContextBuilder.forServer(keys.getKeyManagerFactory())
				.trustManager(keys.getTrustManagerFactory())
				.clientAuth(ClientAuth.REQUIRE)
				.build();
			DisposableServer gateway = HttpServer.create()
				.port(0)
				.secure((spec) -> spec.sslContext(tls))
				.handle((request, response) -> response.status(204).header(WarmupHeader.GATEWAY, "gateway-1").send())
				.bindNow();
			try {
				Gateway at = new Gateway("gateway-1", URI.create("https://localhost:" + gateway.port()));
				assertThat(newsTo(at, context)).hasValue("gateway-1");
				secured.run((without) -> assertThat(newsTo(at, without)).isEmpty());
			}
			finally {
				gateway.disposeNow();
			}
		});
	}

	private static Optional<String> newsTo(Gateway gateway, ApplicationContext context) {
		return context.getBean(RunParts.class)
			.client()
			.news(gateway, "host:1")
			.blockOptional(TIMEOUT)
			.orElseThrow()
			.gatewayId();
	}

	@Test
	void theIdleTimerRunsWhereTheApplicationSchedulesNothingAndDormantMethodsStayDormant() {
		this.service.run((context) -> {
			awaitIdleRun(context);
			Dormant dormant = context.getBean(Dormant.class);
			assertThat(dormant.calls).hasValue(0);
			assertThat(dormant.configured).isFalse();
			assertThat(context).doesNotHaveBean(ScheduledAnnotationBeanPostProcessor.class)
				.doesNotHaveBean(TaskScheduler.class);
		});
	}

	@Test
	void theIdleTimerSharesNothingWithTheTimersOfAnApplication() {
		this.service.withUserConfiguration(Scheduling.class).run((context) -> {
			awaitIdleRun(context);
			assertThat(context.getBean(Dormant.class).configured).isTrue();
			assertThat(context.getBean(ScheduledAnnotationBeanPostProcessor.class).getScheduledTasks())
				.as("the application's own method alone")
				.hasSize(1);
		});
	}

	@Test
	void theIdleTimerRunsBeneathAnAspectOnScheduledMethods() {
		this.service.withUserConfiguration(Scheduling.class, Aspect.class).run(this::awaitIdleRun);
		this.service.withUserConfiguration(Aspect.class).run(this::awaitIdleRun);
	}

	private void awaitIdleRun(ApplicationContext context) {
		Runs runs = context.getBean(Runs.class);
		runs.run(Trigger.STARTUP).block(TIMEOUT);
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> runs.last().stream().anyMatch((run) -> run.trigger() == Trigger.IDLE));
	}

	/** What the packages before this one provide. */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(WarmupProperties.class)
	static class Neighbours {

		@Bean("dev.warmup.clock")
		Clock clock() {
			return new MonotonicClock();
		}

		@Bean
		Gate gate(ApplicationEventPublisher events) {
			return new Gate(true, events);
		}

		@Bean
		OwnState state(Gate gate, Clock clock) {
			return new OwnState(() -> new Instance("chat-service", "host:1"), gate, () -> Mono.just(true), clock);
		}

		@Bean
		UserActivity users(Clock clock) {
			return new UserActivity(clock);
		}

		@Bean
		GatewayLocator locator() {
			return new GatewayLocator() {

				@Override
				public Mono<List<Gateway>> locate() {
					return Mono.just(List.of());
				}

				@Override
				public String description() {
					return "gateway";
				}

			};
		}

	}

	/** What an application has that does not schedule on this replica. */
	public static class Dormant implements SchedulingConfigurer {

		private final AtomicInteger calls = new AtomicInteger();

		private volatile boolean configured;

		@Scheduled(fixedRate = 10)
		void call() {
			this.calls.incrementAndGet();
		}

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			this.configured = true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	/** As an application has for its log, or its metrics. */
	@Configuration(proxyBeanMethods = false)
	static class Aspect {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxies() {
			DefaultAdvisorAutoProxyCreator proxies = new DefaultAdvisorAutoProxyCreator();
			proxies.setProxyTargetClass(true);
			return proxies;
		}

		@Bean
		DefaultPointcutAdvisor counted() {
			return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Scheduled.class),
					(org.aopalliance.intercept.MethodInterceptor) (call) -> call.proceed());
		}

	}

}
