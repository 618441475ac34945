package dev.warmup.autoconfigure;

import dev.warmup.autoconfigure.WarmupClientAutoConfiguration.WarmupHttpClient;
import dev.warmup.locate.Gateway;
import dev.warmup.replay.Replayer;
import dev.warmup.report.Door;
import dev.warmup.report.Knock;
import dev.warmup.report.Reporter;
import dev.warmup.traffic.WarmupClaim;
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
			.hasSingleBean(Door.class));
	}

	@Test
	void gatewayDoesNotSend() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupHttpClient.class)
				.doesNotHaveBean(Door.class));
	}

	@Test
	void nothingIsSentWhenDisabled() {
		this.service.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(WarmupHttpClient.class).doesNotHaveBean(Door.class));
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
		Door own = new Door() {

			@Override
			public Mono<Knock> knock(Gateway gateway, WarmupClaim claim) {
				return Mono.just(new Knock.Known());
			}

			@Override
			public Mono<Boolean> leave(Gateway gateway, WarmupClaim claim) {
				return Mono.just(true);
			}

		};
		this.service.withBean(Door.class, () -> own)
			.run((context) -> assertThat(context).getBean(Door.class).isSameAs(own));
	}

}
