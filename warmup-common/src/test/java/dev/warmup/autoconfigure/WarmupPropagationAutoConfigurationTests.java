package dev.warmup.autoconfigure;

import dev.warmup.web.ClientBeanMark;
import org.junit.jupiter.api.Test;

import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupPropagationAutoConfigurationTests {

	private static final String WEB_CLIENT = "warmupWebClientCustomizer";

	private static final String REST_CLIENT = "warmupRestClientCustomizer";

	private static final String REST_TEMPLATE = "warmupRestTemplateCustomizer";

	@Test
	void reactiveServiceMarksItsCalls() {
		Warmup.reactiveService()
			.run((context) -> assertThat(context).hasSingleBean(ClientBeanMark.class)
				.hasBean(WEB_CLIENT)
				.hasBean(REST_CLIENT)
				.hasBean(REST_TEMPLATE));
	}

	@Test
	void servletServiceMarksItsCalls() {
		Warmup.servletService()
			.run((context) -> assertThat(context).hasSingleBean(ClientBeanMark.class)
				.hasBean(WEB_CLIENT)
				.hasBean(REST_CLIENT)
				.hasBean(REST_TEMPLATE));
	}

	@Test
	void serviceWithoutTheRestClientModuleMarksItsOtherClients() {
		Warmup.servletService("org.springframework.boot.restclient")
			.run((context) -> assertThat(context).hasSingleBean(ClientBeanMark.class)
				.hasBean(WEB_CLIENT)
				.doesNotHaveBean(REST_CLIENT)
				.doesNotHaveBean(REST_TEMPLATE));
	}

	@Test
	void serviceWithoutTheWebClientModuleMarksItsOtherClients() {
		Warmup.servletService("org.springframework.boot.webclient")
			.run((context) -> assertThat(context).hasSingleBean(ClientBeanMark.class)
				.doesNotHaveBean(WEB_CLIENT)
				.hasBean(REST_CLIENT)
				.hasBean(REST_TEMPLATE));
	}

	@Test
	void gatewayLeavesItsClientsAlone() {
		Warmup.gateway()
			.run((context) -> assertThat(context).doesNotHaveBean(ClientBeanMark.class).doesNotHaveBean(WEB_CLIENT));
	}

	@Test
	void applicationWithoutWebServerLeavesItsClientsAlone() {
		new ApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).doesNotHaveBean(ClientBeanMark.class));
	}

	@Test
	void nothingIsMarkedWhenDisabled() {
		Warmup.servletService()
			.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ClientBeanMark.class)
				.doesNotHaveBean(WEB_CLIENT)
				.doesNotHaveBean(REST_CLIENT));
	}

	@Test
	void clientBeanMarkGivesWay() {
		ClientBeanMark own = new ClientBeanMark();
		Warmup.servletService()
			.withBean(ClientBeanMark.class, () -> own)
			.run((context) -> assertThat(context).getBean(ClientBeanMark.class).isSameAs(own));
	}

	@Test
	void webClientCustomizerGivesWay() {
		WebClientCustomizer own = (builder) -> {
		};
		Warmup.reactiveService()
			.withBean(WEB_CLIENT, WebClientCustomizer.class, () -> own)
			.run((context) -> assertThat(context).getBean(WEB_CLIENT).isSameAs(own));
	}

	@Test
	void restClientCustomizerGivesWay() {
		RestClientCustomizer own = (builder) -> {
		};
		Warmup.servletService()
			.withBean(REST_CLIENT, RestClientCustomizer.class, () -> own)
			.run((context) -> assertThat(context).getBean(REST_CLIENT).isSameAs(own));
	}

	@Test
	void restTemplateCustomizerGivesWay() {
		RestTemplateCustomizer own = (client) -> {
		};
		Warmup.servletService()
			.withBean(REST_TEMPLATE, RestTemplateCustomizer.class, () -> own)
			.run((context) -> assertThat(context).getBean(REST_TEMPLATE).isSameAs(own));
	}

}
