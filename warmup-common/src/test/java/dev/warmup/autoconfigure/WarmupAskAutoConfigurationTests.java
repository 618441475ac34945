package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import com.netflix.discovery.EurekaClient;
import dev.warmup.gateway.Admission;
import dev.warmup.gateway.AdmissionFilter;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayReadiness;
import dev.warmup.gateway.GatewayWarmup;
import dev.warmup.gateway.GatewayWarmupSchedule;
import dev.warmup.gateway.InstanceWarmupClient;
import dev.warmup.gateway.RegistryFetch;
import dev.warmup.gateway.ServiceWarmup;
import dev.warmup.gateway.WarmableServices;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryProperties;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupAskAutoConfigurationTests {

	private static final Instance SELF = new Instance("gateway", "gateway-1");

	private final ReactiveWebApplicationContextRunner bare = Warmup.gateway();

	private final ReactiveWebApplicationContextRunner gateway = this.bare.withBean(DiscoveryClient.class,
			WarmupAskAutoConfigurationTests::discovery);

	@Test
	void gatewayWithDiscoveryAsksAndIsClosedAtFirst() {
		this.gateway.run((context) -> {
			assertThat(context).hasSingleBean(GatewayWarmup.class).hasSingleBean(Gate.class);
			assertThat(context.getBean(Gate.class).isOpen()).isFalse();
		});
	}

	@Test
	void gatewayWithoutDiscoveryHasNobodyToAskAndIsOpen() {
		this.bare.run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmup.class);
			assertThat(context.getBean(Gate.class).isOpen()).isTrue();
		});
	}

	@Test
	void gateIsOpenWhereItIsOffAndServicesAreAskedAllTheSame() {
		this.gateway.withPropertyValues("warmup.gate.enabled=false").run((context) -> {
			assertThat(context).hasSingleBean(GatewayWarmup.class);
			assertThat(context.getBean(Gate.class).isOpen()).isTrue();
		});
	}

	@Test
	void gatewayThatIsDisabledAsksNobodyAndIsOpen() {
		this.gateway.withPropertyValues("warmup.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmup.class);
			assertThat(context.getBean(Gate.class).isOpen()).isTrue();
		});
	}

	@Test
	void serviceAsksNobody() {
		Warmup.reactiveService()
			.withBean(DiscoveryClient.class, WarmupAskAutoConfigurationTests::discovery)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayWarmup.class));
	}

	@Test
	void gatewayDoesWithoutEureka() {
		this.gateway.run((context) -> assertThat(context).hasSingleBean(RegistryFetch.class));
		this.gateway.withClassLoader(new FilteredClassLoader(EurekaClient.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(GatewayWarmup.class)
				.doesNotHaveBean(RegistryFetch.class));
	}

	@Test
	void eurekaIsNotWaitedForWhereItIsNotInUse() {
		this.gateway.run((context) -> assertThat(context.getBean(RegistryFetch.class).hasHappened()).isTrue());
	}

	@Test
	void admissionTakesItsLimitFromTheProperties() {
		this.gateway.withPropertyValues("warmup.admission.max-concurrent=3")
			.run((context) -> assertThat(context.getBean(Admission.class)).extracting("max").isEqualTo(3));
		this.gateway.run((context) -> assertThat(context.getBean(Admission.class)).extracting("max")
			.isEqualTo(Math.max(2, Runtime.getRuntime().availableProcessors())));
	}

	@Test
	void eachBeanGivesWay() {
		Gate gate = Gate.open();
		Fleet fleet = new Fleet(Clock.systemUTC());
		GatewayWarmupSchedule agenda = new GatewayWarmupSchedule(fleet, new UserActivity(Clock.systemUTC()),
				new IdleSchedule(Duration.ZERO, Duration.ofMinutes(1), 0), Clock.systemUTC(), () -> 0);
		WarmableServices directory = new WarmableServices(discovery(), List.of(), () -> SELF);
		InstanceWarmupClient asker = new InstanceWarmupClient(WebClient.create(), () -> SELF, WarmupToken.random());
		ServiceWarmup asking = new ServiceWarmup(asker, fleet, agenda, Duration.ofSeconds(1), Schedulers.parallel());
		GatewayReadiness readiness = new GatewayReadiness(gate, agenda, () -> SELF, Duration.ofSeconds(1),
				Clock.systemUTC());
		givesWay(Gate.class, gate);
		givesWay(GatewayWarmupSchedule.class, agenda);
		givesWay(WarmableServices.class, directory);
		givesWay(InstanceWarmupClient.class, asker);
		givesWay(ServiceWarmup.class, asking);
		givesWay(GatewayReadiness.class, readiness);
		givesWay(GatewayWarmup.class, new GatewayWarmup(directory, agenda, asking, readiness, Schedulers.parallel()));
		givesWay(RegistryFetch.class, () -> false);
		Admission admission = new Admission(1, Schedulers.immediate());
		givesWay(Admission.class, admission);
		givesWay(AdmissionFilter.class, new AdmissionFilter(admission, List.of()));
	}

	private <T> void givesWay(Class<T> type, T own) {
		this.gateway.withBean("mine", type, () -> own)
			.run((context) -> assertThat(context).getBean(type).isSameAs(own));
	}

	private static DiscoveryClient discovery() {
		return new SimpleDiscoveryClient(new SimpleDiscoveryProperties());
	}

}
