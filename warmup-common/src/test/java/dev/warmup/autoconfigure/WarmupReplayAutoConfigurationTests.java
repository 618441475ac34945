package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.GatewayLocator;
import dev.warmup.actuate.RunLog;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.InvalidCatalogException;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupToken;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.RunListener;
import dev.warmup.run.ShutdownNotifier;
import dev.warmup.run.StartupRun;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupReplayAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void reactiveServiceCanRun() {
		this.service.run((context) -> assertThat(context).hasSingleBean(WarmupRunner.class)
			.hasSingleBean(StartupRun.class)
			.hasSingleBean(ShutdownNotifier.class)
			.hasSingleBean(WarmupState.class)
			.hasSingleBean(RunLog.class)
			.hasSingleBean(Gate.class));
	}

	@Test
	void servletServiceCanRun() {
		Warmup.servletService()
			.run((context) -> assertThat(context).hasSingleBean(WarmupRunner.class).hasSingleBean(StartupRun.class));
	}

	@Test
	void serviceWithNoOptionalDependencyCanRun() {
		Warmup
			.reactiveService("org.springframework.boot.actuate", "org.springframework.cloud", "io.micrometer",
					"jakarta.servlet", "org.springframework.boot.web.servlet")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupRunner.class));
	}

	@Test
	void servletServiceWithNoOptionalDependencyCanRun() {
		Warmup.servletService("org.springframework.boot.actuate", "org.springframework.cloud", "io.micrometer")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupRunner.class));
	}

	@Test
	void gatewayDoesNotRun() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupRunner.class)
				.doesNotHaveBean(ShutdownNotifier.class)
				.doesNotHaveBean(CatalogSource.class));
	}

	@Test
	void applicationWithoutWebServerDoesNotRun() {
		new ApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WarmupRunner.class));
	}

	@Test
	void nothingRunsAndNoCatalogIsReadWhenDisabled() {
		this.service.withPropertyValues("warmup.enabled=false", "warmup.catalog=file:/no/such/catalog.yml")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupRunner.class)
				.doesNotHaveBean(StartupRun.class)
				.doesNotHaveBean(CatalogSource.class));
	}

	@Test
	void catalogIsRead() {
		this.service.withPropertyValues(Warmup.CATALOG)
			.run((context) -> assertThat(context.getBean(CatalogSource.class).current().scenarios())
				.extracting(Scenario::name)
				.containsExactly("rooms"));
	}

	@Test
	void brokenCatalogStopsTheStart() {
		this.service.withPropertyValues("warmup.catalog=classpath:dev/warmup/autoconfigure/broken.yml")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidCatalogException.class)
				.hasMessageContaining("dev/warmup/autoconfigure/broken.yml")
				.hasMessageContaining("FETCH"));
	}

	@Test
	void missingCatalogStopsTheStartWhereItWasAskedFor() {
		this.service.withPropertyValues("warmup.catalog=classpath:no/such/catalog.yml")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidCatalogException.class)
				.hasMessageContaining("no/such/catalog.yml"));
	}

	@Test
	void missingCatalogIsEmptyAtTheDefaultLocation() {
		this.service.run((context) -> assertThat(context.getBean(CatalogSource.class).current().scenarios()).isEmpty());
	}

	@Test
	void catalogSourceGivesWay() {
		CatalogSource own = () -> new Catalog("mine", Map.of(), List.of());
		this.service.withPropertyValues("warmup.catalog=file:/no/such/catalog.yml")
			.withBean(CatalogSource.class, () -> own)
			.run((context) -> assertThat(context).getBean(CatalogSource.class).isSameAs(own));
	}

	@Test
	void gateGivesWay() {
		Gate own = new Gate(true, GatePosition.CLOSED, () -> {
		});
		this.service.withBean(Gate.class, () -> own)
			.run((context) -> assertThat(context).getBean(Gate.class).isSameAs(own));
	}

	@Test
	void gateIsClosedAtFirst() {
		this.service.run((context) -> assertThat(context.getBean(Gate.class).isOpen()).isFalse());
	}

	@Test
	void gateIsOpenWhereItIsTurnedOff() {
		this.service.withPropertyValues("warmup.gate.enabled=false")
			.run((context) -> assertThat(context.getBean(Gate.class).isOpen()).isTrue());
	}

	@Test
	void runLogGivesWay() {
		RunLog own = new RunLog(() -> null);
		this.service.withBean(RunLog.class, () -> own)
			.run((context) -> assertThat(context).getBean(RunLog.class).isSameAs(own));
	}

	@Test
	void stateGivesWay() {
		WarmupState own = new WarmupState(Clock.systemUTC(), List.of());
		this.service.withBean(WarmupState.class, () -> own)
			.run((context) -> assertThat(context).getBean(WarmupState.class).isSameAs(own));
	}

	@Test
	void runnerGivesWay() {
		this.service.run((other) -> {
			WarmupRunner own = other.getBean(WarmupRunner.class);
			this.service.withBean(WarmupRunner.class, () -> own)
				.run((context) -> assertThat(context).getBean(WarmupRunner.class).isSameAs(own));
		});
	}

	@Test
	void startupRunGivesWay() {
		this.service.run((other) -> {
			StartupRun own = new StartupRun(other.getBean(WarmupRunner.class), other.getBean(WarmupState.class),
					Trigger.STARTUP, Schedulers.parallel());
			this.service.withBean(StartupRun.class, () -> own)
				.run((context) -> assertThat(context).getBean(StartupRun.class).isSameAs(own));
		});
	}

	@Test
	void leavingGivesWay() {
		this.service.run((other) -> {
			ShutdownNotifier own = new ShutdownNotifier(other.getBean(InstanceSource.class),
					other.getBean(GatewayLocator.class), other.getBean(GatewayClient.class), other.getBean(Gate.class),
					other.getBean(WarmupToken.class), Schedulers.parallel());
			this.service.withBean(ShutdownNotifier.class, () -> own)
				.run((context) -> assertThat(context).getBean(ShutdownNotifier.class).isSameAs(own));
		});
	}

	@Test
	void applicationsListenersAreToldOfRunsBesideTheLibrarysOwn() {
		List<RunRecord> told = new ArrayList<>();
		RunListener own = new RunListener() {

			@Override
			public void onRun(RunRecord run) {
				told.add(run);
			}

		};
		this.service.withBean("mine", RunListener.class, () -> own).run((context) -> {
			StepVerifier.create(context.getBean(WarmupRunner.class).run(Trigger.MANUAL))
				.expectNextCount(1)
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			assertThat(told).extracting(RunRecord::verdict).containsExactly(Verdict.SKIPPED);
			assertThat(context.getBean(Gate.class).isOpen()).isTrue();
		});
	}

}
