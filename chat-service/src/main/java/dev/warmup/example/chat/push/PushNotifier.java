package dev.warmup.example.chat.push;

import dev.warmup.WarmupContext;
import dev.warmup.example.chat.message.Message;
import dev.warmup.example.chat.message.PostObserver;
import reactor.core.publisher.Mono;

/**
 * Hands messages of users to the {@link PushExecutor}, and those of a warm-up to nobody.
 */
final class PushNotifier implements PostObserver {

	private final PushExecutor executor;

	PushNotifier(PushExecutor executor) {
		this.executor = executor;
	}

	@Override
	public Mono<Void> posted(Message message) {
		return Mono.deferContextual((context) -> {
			if (!WarmupContext.isWarmup(context)) {
				this.executor.execute(message);
			}
			return Mono.empty();
		});
	}

}
