package dev.warmup.autoconfigure;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.commons.util.InetUtils;
import org.springframework.cloud.commons.util.InetUtilsProperties;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Without an Eureka server: what the instance's configuration says before the first
 * registration.
 */
@ExtendWith(OutputCaptureExtension.class)
class WarmupEurekaAutoConfigurationTests {

	@Test
	void serviceIsStartingAndPublishesItsMetadataAlsoWhenItIsBoundAgain() {
		WebApplicationContextRunner service = Warmup.servletService()
			.withBean(EurekaInstanceConfigBean.class, WarmupEurekaAutoConfigurationTests::config);
		service.withPropertyValues("server.servlet.context-path=/chat", "eureka.instance.metadata-map.zone=a")
			.run((context) -> {
				EurekaInstanceConfigBean config = context.getBean(EurekaInstanceConfigBean.class);
				assertThat(config.getInitialStatus()).isEqualTo(InstanceStatus.STARTING);
				assertThat(config.getMetadataMap()).containsEntry("warmup-base-path", "/chat")
					.containsEntry("zone", "a")
					.containsEntry("warmup-jwk", context.getBean(WarmupKey.class).jwk().orElseThrow());
				config.getMetadataMap().clear();
				config.setInitialStatus(InstanceStatus.UP);
				context.getAutowireCapableBeanFactory().initializeBean(config, "again, as a refresh does");
				assertThat(config.getInitialStatus()).isEqualTo(InstanceStatus.STARTING);
				assertThat(config.getMetadataMap()).containsKey("warmup-jwk");
			});
	}

	@Test
	void gatewayStaysUpAndPublishesItsMetadata() {
		with(Warmup.gateway()).withPropertyValues("spring.webflux.base-path=/shop").run((context) -> {
			EurekaInstanceConfigBean config = context.getBean(EurekaInstanceConfigBean.class);
			assertThat(config.getInitialStatus()).isEqualTo(InstanceStatus.UP);
			assertThat(config.getMetadataMap()).containsOnlyKeys("warmup-jwk", "warmup-base-path")
				.containsEntry("warmup-base-path", "/shop");
			assertThat(context).doesNotHaveBean("warmupEurekaGate");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "eureka.instance.initial-status=up", "eureka.instance.initial-status=down",
			"eureka.instance.instance-enabled-onit=true" })
	void applicationsOwnFirstStatusIsLeftAloneAndLogged(String property, CapturedOutput output) {
		with(Warmup.reactiveService()).withPropertyValues(property)
			.run((context) -> assertThat(context.getBean(EurekaInstanceConfigBean.class).getInitialStatus())
				.isEqualTo(property.endsWith("down") ? InstanceStatus.DOWN : InstanceStatus.UP));
		assertThat(output).containsOnlyOnce("left alone").contains("before it is warm");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "warmup.gate.enabled=false", "spring.cloud.service-registry.auto-registration.enabled=false" })
	void serviceIsUpFromTheStartWhereTheStatusIsNotOurs(String property, CapturedOutput output) {
		with(Warmup.reactiveService()).withPropertyValues(property).run((context) -> {
			EurekaInstanceConfigBean config = context.getBean(EurekaInstanceConfigBean.class);
			assertThat(config.getInitialStatus()).isEqualTo(InstanceStatus.UP);
			assertThat(config.getMetadataMap()).containsOnlyKeys("warmup-jwk");
		});
		assertThat(output).doesNotContain("left alone");
	}

	@Test
	void nothingIsChangedWhenDisabledOrWithoutEureka() {
		with(Warmup.reactiveService()).withPropertyValues("warmup.enabled=false").run((context) -> {
			EurekaInstanceConfigBean config = context.getBean(EurekaInstanceConfigBean.class);
			assertThat(config.getInitialStatus()).isEqualTo(InstanceStatus.UP);
			assertThat(config.getMetadataMap()).isEmpty();
		});
		Warmup.reactiveService("com.netflix", "org.springframework.cloud.netflix")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("warmupEurekaPostProcessor"));
	}

	@Test
	void healthCheckOfAnyKindIsStartingWhileTheGateIsClosedAndNothingDuringShutdown() {
		HealthCheckHandler lambda = (status) -> InstanceStatus.UP;
		with(Warmup.reactiveService()).withBean("lambda", HealthCheckHandler.class, () -> lambda)
			.withBean("open", OpenHandler.class)
			.withBean("closed", FinalHandler.class)
			.withBean("private", HealthCheckHandler.class, PrivateHandler::new)
			.run((context) -> {
				assertThat(context).getBean("open").isInstanceOf(OpenHandler.class).matches(AopUtils::isAopProxy);
				assertThat(context.getBean(EurekaInstanceConfigBean.class)).isNotNull();
				assertThat(context.getBeansOfType(HealthCheckHandler.class).values()).hasSize(4)
					.allSatisfy((handler) -> assertThat(handler.getStatus(InstanceStatus.UP))
						.isEqualTo(InstanceStatus.STARTING));
				HealthCheckHandler handler = context.getBean("open", HealthCheckHandler.class);
				context.getSourceApplicationContext().close();
				assertThat(handler.getStatus(InstanceStatus.DOWN)).as("which leaves the status DOWN").isNull();
			});
	}

	@Test
	void healthCheckDecidesWhereTheStatusIsTheApplicationsOwn() {
		with(Warmup.reactiveService()).withPropertyValues("eureka.instance.initial-status=up")
			.withBean(FinalHandler.class)
			.run((context) -> {
				HealthCheckHandler handler = context.getBean(HealthCheckHandler.class);
				assertThat(context.getBean(EurekaInstanceConfigBean.class)).isNotNull();
				assertThat(handler.getStatus(InstanceStatus.UP)).isEqualTo(InstanceStatus.DOWN);
				context.getSourceApplicationContext().close();
				assertThat(handler.getStatus(InstanceStatus.UP)).isEqualTo(InstanceStatus.DOWN);
			});
	}

	private static ReactiveWebApplicationContextRunner with(ReactiveWebApplicationContextRunner application) {
		return application.withBean("eurekaInstanceConfigBean", EurekaInstanceConfigBean.class,
				WarmupEurekaAutoConfigurationTests::config);
	}

	private static EurekaInstanceConfigBean config() {
		return new EurekaInstanceConfigBean(new InetUtils(new InetUtilsProperties()));
	}

	static class OpenHandler implements HealthCheckHandler {

		@Override
		public InstanceStatus getStatus(InstanceStatus currentStatus) {
			return InstanceStatus.UP;
		}

	}

	private static class PrivateHandler implements HealthCheckHandler {

		@Override
		public InstanceStatus getStatus(InstanceStatus currentStatus) {
			return InstanceStatus.UP;
		}

	}

	static final class FinalHandler implements HealthCheckHandler {

		@Override
		public InstanceStatus getStatus(InstanceStatus currentStatus) {
			return InstanceStatus.DOWN;
		}

	}

}
