package dev.warmup.autoconfigure;

import java.util.Optional;

import dev.warmup.discovery.InstanceMetadata;
import dev.warmup.discovery.MetadataPublisher;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupRegistrationAutoConfigurationTests {

	@Test
	void servicesAndGatewaysPublishTheTokensHash() {
		Warmup.servletService()
			.run((context) -> assertThat(context).hasSingleBean(MetadataPublisher.class)
				.getBean(InstanceMetadata.class)
				.isEqualTo(
						new InstanceMetadata(context.getBean(WarmupToken.class).sha256(), Optional.<String>empty())));
		Warmup.gateway()
			.run((context) -> assertThat(context).hasSingleBean(MetadataPublisher.class)
				.hasSingleBean(InstanceMetadata.class));
	}

	@ParameterizedTest
	@CsvSource({ "/chat, /chat", "/chat/, /chat", "chat, /chat", "/a/b, /a/b", "/,", "'',", "' '," })
	void serviceThatHasABasePathPublishesIt(String path, String published) {
		Warmup.reactiveService()
			.withPropertyValues("spring.webflux.base-path=" + path, "server.servlet.context-path=/other")
			.run((context) -> assertThat(context.getBean(InstanceMetadata.class).basePath())
				.isEqualTo(Optional.ofNullable(published)));
		Warmup.servletService()
			.withPropertyValues("server.servlet.context-path=" + path, "spring.webflux.base-path=/other")
			.run((context) -> assertThat(context.getBean(InstanceMetadata.class).basePath())
				.isEqualTo(Optional.ofNullable(published)));
	}

	@Test
	void nothingIsPublishedWhenDisabledOrWithoutDiscovery() {
		Warmup.reactiveService()
			.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(MetadataPublisher.class)
				.doesNotHaveBean(InstanceMetadata.class));
		Warmup.reactiveService("org.springframework.cloud")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("warmupMetadataPublisher")
				.doesNotHaveBean(InstanceMetadata.class));
	}

	@Test
	void metadataGivesWay() {
		InstanceMetadata own = new InstanceMetadata("hash", Optional.of("/own"));
		Warmup.reactiveService()
			.withBean(InstanceMetadata.class, () -> own)
			.run((context) -> assertThat(context).getBean(InstanceMetadata.class).isSameAs(own));
		Warmup.servletService()
			.withBean(InstanceMetadata.class, () -> own)
			.run((context) -> assertThat(context).getBean(InstanceMetadata.class).isSameAs(own));
	}

	@Test
	void publisherGivesWay() {
		MetadataPublisher own = new MetadataPublisher(new InstanceMetadata("hash", Optional.empty()), false);
		Warmup.reactiveService()
			.withBean(MetadataPublisher.class, () -> own)
			.run((context) -> assertThat(context).getBean(MetadataPublisher.class).isSameAs(own));
	}

}
