package dev.warmup.example.chat.push;

import dev.warmup.example.chat.room.Members;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Pushes where {@code chat.push.url} says where to; without it there is nothing of this
 * package.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("chat.push.url")
@EnableConfigurationProperties(PushProperties.class)
class PushConfiguration {

	@Bean
	PushExecutor pushExecutor(Members members, WebClient.Builder builder, PushProperties properties,
			MeterRegistry registry) {
		WebClient client = builder.baseUrl(properties.url().toString()).build();
		PushSender sender = new PushSender(members, client, properties.timeout());
		return new PushExecutor(sender::send, properties, new PushMeters(registry));
	}

	@Bean
	PushNotifier pushNotifier(PushExecutor pushExecutor) {
		return new PushNotifier(pushExecutor);
	}

}
