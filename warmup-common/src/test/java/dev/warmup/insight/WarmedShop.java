package dev.warmup.insight;

import java.time.Duration;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.RunningApplication;
import dev.warmup.Steadily;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

/** A service that was warmed through a proxy. */
final class WarmedShop implements AutoCloseable {

	private final WireMockServer gateway = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private final RunningApplication service;

	WarmedShop(Class<?> source, WebApplicationType type) {
		this.gateway.start();
		this.service = RunningApplication.service(source, type,
				Steadily.and("spring.application.name=shop", "warmup.gateway.url=" + this.gateway.baseUrl(),
						"warmup.catalog=classpath:dev/warmup/pool/orders.yml", "warmup.startup.min-repetitions=12",
						"warmup.startup.concurrency=2", "warmup.gate.on-failure=closed"));
		this.gateway.stubFor(WireMock.any(WireMock.urlPathMatching("/shop/.*"))
			.willReturn(WireMock.aResponse().proxiedFrom(this.service.address()).withProxyUrlPrefixToRemove("/shop")));
		this.gateway
			.stubFor(WireMock.put(WireMock.urlPathMatching("/.warmup/runs/.*")).willReturn(WireMock.noContent()));
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.until(() -> this.service.get("/.warmup/ready").statusCode() == 200);
	}

	/** The record of the run. */
	JsonNode run() {
		return this.service.json("/actuator/warmup").at("/runs/0");
	}

	String instanceId() {
		return this.service.json("/actuator/warmup").path("instanceId").asString();
	}

	@Override
	public void close() {
		this.service.close();
		this.gateway.stop();
	}

}
