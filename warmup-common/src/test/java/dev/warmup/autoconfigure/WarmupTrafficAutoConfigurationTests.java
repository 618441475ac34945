package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import dev.warmup.web.ReadyServletFilter;
import dev.warmup.web.ReadyWebFilter;
import dev.warmup.web.WarmupServletFilter;
import dev.warmup.web.WarmupWebFilter;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTrafficAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner reactive = Warmup.reactiveService();

	private final WebApplicationContextRunner servlet = Warmup.servletService();

	@Test
	void reactiveServiceHasBothFilters() {
		this.reactive.run((context) -> assertThat(context).hasSingleBean(ReadyWebFilter.class)
			.hasSingleBean(WarmupWebFilter.class)
			.doesNotHaveBean(FilterRegistrationBean.class));
	}

	@Test
	void reactiveServiceHasBothFiltersWithoutServletClasses() {
		Warmup.reactiveService("jakarta.servlet", "org.springframework.boot.web.servlet")
			.run((context) -> assertThat(context).hasSingleBean(ReadyWebFilter.class)
				.hasSingleBean(WarmupWebFilter.class));
	}

	@Test
	void servletServiceHasBothFilters() {
		this.servlet.run((context) -> {
			assertThat(context).doesNotHaveBean(ReadyWebFilter.class).doesNotHaveBean(WarmupWebFilter.class);
			FilterRegistrationBean<?> ready = context.getBean("warmupReadyServletFilter", FilterRegistrationBean.class);
			assertThat(ready.getFilter()).isInstanceOf(ReadyServletFilter.class);
			assertThat(ready.getUrlPatterns()).containsExactly(InternalPaths.READY_PATH);
			assertThat(ready.getOrder()).isEqualTo(ReadyServletFilter.ORDER);
			FilterRegistrationBean<?> warmup = context.getBean("warmupServletFilter", FilterRegistrationBean.class);
			assertThat(warmup.getFilter()).isInstanceOf(WarmupServletFilter.class);
			assertThat(warmup.getOrder()).isEqualTo(WarmupServletFilter.ORDER);
		});
	}

	@Test
	void gatewayAnswersProbesAndLeavesTellingUsersToItsGlobalFilter() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasSingleBean(ReadyWebFilter.class)
				.doesNotHaveBean(WarmupWebFilter.class));
	}

	@Test
	void applicationWithoutWebServerHasNoFilter() {
		new ApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ReadyWebFilter.class)
				.doesNotHaveBean("warmupReadyServletFilter"));
	}

	@Test
	void reactiveServiceIsReadyAtOnceWhenDisabled() {
		this.reactive.withPropertyValues("warmup.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(WarmupWebFilter.class);
			assertThat(probe(context.getBean(ReadyWebFilter.class))).isEqualTo(HttpStatus.OK);
		});
	}

	@Test
	void servletServiceIsReadyAtOnceWhenDisabled() {
		this.servlet.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("warmupReadyServletFilter")
				.doesNotHaveBean("warmupServletFilter")
				.getBean(Gate.class)
				.matches(Gate::isOpen));
	}

	@Test
	void serviceIsNotReadyAtFirst() {
		this.reactive.run((context) -> assertThat(probe(context.getBean(ReadyWebFilter.class)))
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE));
	}

	@Test
	void openGateGivesWay() {
		Gate own = new Gate(true, GatePosition.CLOSED, () -> {
		});
		this.reactive.withPropertyValues("warmup.enabled=false")
			.withBean(Gate.class, () -> own)
			.run((context) -> assertThat(context).getBean(Gate.class).isSameAs(own));
	}

	@Test
	void readyWebFilterGivesWay() {
		ReadyWebFilter own = new ReadyWebFilter(() -> true);
		this.reactive.withBean(ReadyWebFilter.class, () -> own)
			.run((context) -> assertThat(context).getBean(ReadyWebFilter.class).isSameAs(own));
	}

	@Test
	void warmupWebFilterGivesWay() {
		WarmupWebFilter own = new WarmupWebFilter(() -> "mine", WarmupToken.random(),
				new UserActivity(Clock.systemUTC()), new InternalPaths(List.of()));
		this.reactive.withBean(WarmupWebFilter.class, () -> own)
			.run((context) -> assertThat(context).getBean(WarmupWebFilter.class).isSameAs(own));
	}

	@Test
	void readyServletFilterGivesWay() {
		FilterRegistrationBean<ReadyServletFilter> own = new FilterRegistrationBean<>(
				new ReadyServletFilter(() -> true));
		this.servlet.withBean("warmupReadyServletFilter", FilterRegistrationBean.class, () -> own)
			.run((context) -> assertThat(context).getBean("warmupReadyServletFilter").isSameAs(own));
	}

	@Test
	void warmupServletFilterGivesWay() {
		FilterRegistrationBean<ReadyServletFilter> own = new FilterRegistrationBean<>(
				new ReadyServletFilter(() -> true));
		this.servlet.withBean("warmupServletFilter", FilterRegistrationBean.class, () -> own)
			.run((context) -> assertThat(context).getBean("warmupServletFilter").isSameAs(own));
	}

	private static HttpStatusCode probe(ReadyWebFilter filter) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.get(InternalPaths.READY_PATH));
		StepVerifier.create(filter.filter(exchange, (other) -> Mono.empty()))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		return exchange.getResponse().getStatusCode();
	}

}
