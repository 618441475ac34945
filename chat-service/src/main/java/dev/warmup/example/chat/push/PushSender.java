package dev.warmup.example.chat.push;

import java.time.Duration;
import java.util.List;

import dev.warmup.example.chat.message.Message;
import dev.warmup.example.chat.room.Members;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * Posts one notification of a message to the push service, for all members but the
 * author.
 */
final class PushSender {

	private final Members members;

	private final WebClient client;

	private final Duration timeout;

	PushSender(Members members, WebClient client, Duration timeout) {
		this.members = members;
		this.client = client;
		this.timeout = timeout;
	}

	/**
	 * Sends the notification.
	 * @param message the message to tell of
	 * @return completes when the push service took it, or when there is nobody to tell;
	 * fails when it did not take it in time
	 */
	Mono<Void> send(Message message) {
		return this.members.of(message.roomId())
			.filter((member) -> member != message.userId())
			.collectList()
			.filter((recipients) -> !recipients.isEmpty())
			.flatMap((recipients) -> post(message, recipients))
			.timeout(this.timeout);
	}

	private Mono<Void> post(Message message, List<Long> recipients) {
		return this.client.post()
			.bodyValue(
					new PushNotification(message.roomId(), message.id(), message.userId(), message.text(), recipients))
			.retrieve()
			.toBodilessEntity()
			.then();
	}

}
