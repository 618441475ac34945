package dev.warmup.gateway;

import java.time.Duration;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.RunningApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway with Eureka's real client, whose server is down at first. */
@Tag("full")
@Timeout(120)
class EurekaRegistryFetchTests {

	@Test
	void gatewayWaitsForARegistryThatIsDownAndIsReadyOnceItListsNoServices() {
		WireMockServer eureka = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		eureka.start();
		try (RunningApplication gateway = RunningApplication.gateway(Gateway.class, "spring.application.name=gateway",
				"eureka.client.enabled=true", "eureka.client.jersey.enabled=false",
				"eureka.client.register-with-eureka=false", "eureka.client.registry-fetch-interval-seconds=3",
				"warmup.startup.budget=10m",
				"eureka.client.service-url.defaultZone=" + eureka.baseUrl() + "/eureka/")) {
			assertThat(gateway.bean(RegistryFetch.class).isDone()).isFalse();
			assertThat(gateway.get("/.warmup/ready").statusCode()).isEqualTo(503);
			eureka.stubFor(WireMock.get(WireMock.urlPathMatching("/eureka/apps/.*"))
				.willReturn(WireMock.okJson(
						"{\"applications\":{\"versions__delta\":\"1\",\"apps__hashcode\":\"\",\"application\":[]}}")));
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> gateway.get("/.warmup/ready").statusCode() == 200);
			assertThat(gateway.bean(RegistryFetch.class).isDone()).isTrue();
		}
		finally {
			eureka.stop();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

	}

}
