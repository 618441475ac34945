package dev.warmup.service;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.WarmupHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** Real applications with real servers. */
class WebApplicationTests {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void serviceAnswersGatewaysAndMarksItsOwnWarmup(WebApplicationType type) {
		try (RunningApplication service = RunningApplication.withoutRuns(Service.class, type,
				"spring.application.name=Chat", "spring.reactor.context-propagation=auto")) {
			OwnState state = service.bean(OwnState.class);
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(503);
			assertThat(read(service).instance()).isEqualTo(state.instance());
			assertThat(state.instance().service()).isEqualTo("chat");
			assertThat(service.get("/seen", "x-WARMUP", Runs.begin(state), "X-Kept", "yes"))
				.satisfies((answer) -> assertThat(answer.headers().firstValue(WarmupHeader.INSTANCE))
					.hasValue(state.instance().instanceId()))
				.satisfies((answer) -> assertThat(answer.body())
					.isEqualTo("{\"header\":\"\",\"kept\":\"yes\",\"marked\":\"true\"}"));
			assertThat(service.bean(UserActivity.class).last()).isEmpty();
			assertThat(service.get("/seen", "X-Kept", "yes").body()).contains("\"marked\":\"false\"");
			assertThat(service.bean(UserActivity.class).last()).isPresent();
		}
	}

	@Test
	void usersAreRefusedWhileTheApplicationRefusesTraffic() {
		try (RunningApplication service = RunningApplication.withoutRuns(Service.class, WebApplicationType.REACTIVE)) {
			service.bean(Gate.class).open();
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(200);
			assertThat(read(service).takesUsers()).isTrue();
			service.publish(new AvailabilityChangeEvent<>(this, ReadinessState.REFUSING_TRAFFIC));
			assertThat(read(service).takesUsers()).isFalse();
		}
	}

	@ParameterizedTest
	@CsvSource({ "REACTIVE, false", "SERVLET, false", "SERVLET, off" })
	void headerIsRemovedAndTheGateOpenWhereWarmupIsOff(WebApplicationType type, String enabled) {
		try (RunningApplication service = RunningApplication.withoutRuns(Service.class, type,
				"warmup.enabled=" + enabled)) {
			assertThat(service.get("/seen", "x-WARMUP", anothers(), "X-Kept", "yes").body())
				.isEqualTo("{\"header\":\"\",\"kept\":\"yes\",\"marked\":\"false\"}");
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(200);
			assertThat(service.get("/.warmup/state?gateway=gw-1", WarmupHeader.GATEWAY, "gw-1").statusCode())
				.isEqualTo(404);
		}
	}

	@Test
	void gatewayWhoseWarmupIsOffStillProtectsTheServicesBehindIt() {
		WireMockServer service = RunningApplication.stub();
		service.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		try (RunningApplication gateway = RunningApplication.gateway(RunningApplication.Plain.class,
				"warmup.enabled=false", "spring.cloud.gateway.server.webflux.routes[0].id=all",
				"spring.cloud.gateway.server.webflux.routes[0].uri=" + service.baseUrl(),
				"spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/rooms")) {
			for (String header : List.of("true", anothers())) {
				assertThat(gateway.get("/rooms", "x-WARMUP", header).body()).isEqualTo("fine");
			}
			service.verify(2, WireMock.getRequestedFor(WireMock.urlEqualTo("/rooms")).withoutHeader(WarmupHeader.NAME));
		}
		finally {
			service.stop();
		}
	}

	@Test
	void gatewayHasAStateOfItsOwn() {
		try (RunningApplication gateway = RunningApplication.gateway(RunningApplication.Plain.class)) {
			assertThat(read(gateway).instance()).isEqualTo(gateway.bean(OwnState.class).instance());
		}
	}

	@Test
	void filterNeedsNeitherEndpointsNorRunsWhileTheServerStarts() {
		try (RunningApplication service = RunningApplication.withoutRuns(Early.class, WebApplicationType.SERVLET)) {
			assertThat(service.bean(Early.class).beans).contains("dev.warmup.servletFilter")
				.doesNotContain("healthEndpoint", "dev.warmup.internalPaths", "expensive");
		}
	}

	/** Tomcat calls no filter where no servlet is mapped. */
	@Test
	void libraryIsServedBesideTheServletOfTheApplicationAndBelowItsContextPath() {
		try (RunningApplication service = RunningApplication.withoutRuns(Service.class, WebApplicationType.SERVLET,
				"spring.mvc.servlet.path=/api", "server.servlet.context-path=/shop")) {
			assertThat(service.get("/shop/.warmup/ready").statusCode()).isEqualTo(503);
			assertThat(service.get("/shop/.warmup/state").statusCode()).isEqualTo(404);
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(404);
			assertThat(service.get("/shop/other").statusCode()).isEqualTo(404);
		}
	}

	private static String anothers() {
		return new WarmupHeader("host:2", Token.Secret.generate().forGateway("gw-1")).format();
	}

	private static InstanceState read(RunningApplication application) {
		return InstanceState.fromJson(application.get("/.warmup/state?gateway=gw-1", WarmupHeader.GATEWAY, "gw-1")
			.body()
			.getBytes(StandardCharsets.UTF_8));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		@GetMapping("/seen")
		Map<String, String> seen(@RequestHeader(WarmupHeader.NAME) Optional<String> header,
				@RequestHeader("X-Kept") String kept) {
			return new TreeMap<>(Map.of("header", header.orElse(""), "kept", kept, "marked",
					String.valueOf(WarmupContext.current().isPresent())));
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Early {

		/** Those there were when the server started. */
		private volatile Set<String> beans = Set.of();

		@Bean
		ServletContextInitializer recorder(ConfigurableListableBeanFactory factory) {
			return (context) -> this.beans = Set.of(factory.getSingletonNames());
		}

		@Bean
		WantedRuns expensive() {
			return new WantedRuns() {
			};
		}

	}

}
