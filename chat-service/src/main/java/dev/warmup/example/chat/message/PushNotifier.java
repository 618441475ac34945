package dev.warmup.example.chat.message;

import java.time.Duration;

import dev.warmup.WarmupContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Posts each message to the push service, unless it is part of a warm-up. Safe for
 * concurrent use.
 */
@Component
@ConditionalOnProperty("chat.push.url")
class PushNotifier {

	private static final Log logger = LogFactory.getLog(PushNotifier.class);

	private final WebClient client;

	private final Duration timeout;

	PushNotifier(WebClient.Builder builder, @Value("${chat.push.url}") String url,
			@Value("${chat.push.timeout:2s}") Duration timeout) {
		this.client = builder.baseUrl(url).build();
		this.timeout = timeout;
	}

	/**
	 * Sends a message to the push service, unless the request is part of a warm-up.
	 * @param message the stored message
	 * @return completes when the push service has answered, has failed, or its time is
	 * up, without an error; its context must be the request's
	 */
	Mono<Void> posted(Message message) {
		return Mono.deferContextual((context) -> WarmupContext.isWarmup(context) ? Mono.empty() : send(message));
	}

	private Mono<Void> send(Message message) {
		return this.client.post()
			.bodyValue(message)
			.retrieve()
			.toBodilessEntity()
			.timeout(this.timeout)
			.doOnError(
					(error) -> logger.warn("Message %d was not pushed: %s".formatted(message.id(), error.getMessage())))
			.onErrorComplete()
			.then();
	}

}
