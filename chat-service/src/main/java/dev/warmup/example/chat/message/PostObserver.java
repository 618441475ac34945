package dev.warmup.example.chat.message;

import reactor.core.publisher.Mono;

/** Is told of each message, after it was stored. */
@FunctionalInterface
public interface PostObserver {

	/**
	 * Takes note of a message. Must not wait for anything: the author's answer follows.
	 * @param message the stored message
	 * @return completes at once, without an error; its context is the request's
	 */
	Mono<Void> posted(Message message);

}
