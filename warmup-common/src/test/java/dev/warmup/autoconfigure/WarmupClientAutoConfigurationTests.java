package dev.warmup.autoconfigure;

import dev.warmup.Gateway;
import dev.warmup.autoconfigure.WarmupClientAutoConfiguration.WarmupHttpClient;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.RegistrationCheck;
import dev.warmup.run.Replayer;
import dev.warmup.run.Reporter;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupClientAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void serviceCanSend() {
		this.service.run((context) -> assertThat(context).hasSingleBean(WarmupHttpClient.class)
			.hasSingleBean(Replayer.class)
			.hasSingleBean(Reporter.class)
			.hasSingleBean(GatewayClient.class));
	}

	@Test
	void gatewayDoesNotSend() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupHttpClient.class)
				.doesNotHaveBean(GatewayClient.class));
	}

	@Test
	void nothingIsSentWhenDisabled() {
		this.service.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(WarmupHttpClient.class)
				.doesNotHaveBean(GatewayClient.class));
	}

	@Test
	void replayerGivesWay() {
		Replayer own = (scenario, session) -> Flux.empty();
		this.service.withBean(Replayer.class, () -> own)
			.run((context) -> assertThat(context).getBean(Replayer.class).isSameAs(own));
	}

	@Test
	void reporterGivesWay() {
		Reporter own = (gateway, report) -> Mono.empty();
		this.service.withBean(Reporter.class, () -> own)
			.run((context) -> assertThat(context).getBean(Reporter.class).isSameAs(own));
	}

	@Test
	void doorGivesWay() {
		GatewayClient own = new GatewayClient() {

			@Override
			public Mono<RegistrationCheck> knock(Gateway gateway, WarmupClaim claim) {
				return Mono.just(new RegistrationCheck.Known());
			}

			@Override
			public Mono<Boolean> leave(Gateway gateway, WarmupClaim claim) {
				return Mono.just(true);
			}

		};
		this.service.withBean(GatewayClient.class, () -> own)
			.run((context) -> assertThat(context).getBean(GatewayClient.class).isSameAs(own));
	}

}
