package dev.warmup.example.chat.message;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;

/**
 * Follows rooms by querying the table, which is the buffer: each query continues after
 * the last message that was sent, at whichever instance the next ones were posted. A slow
 * reader holds one page and no connection. Of messages posted at the same moment, one
 * that becomes visible after a higher id can be missed.
 */
@Component
class MessageStream {

	private static final int PAGE_SIZE = 100;

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final MessageRepository messages;

	MessageStream(MessageRepository messages) {
		this.messages = messages;
	}

	/**
	 * Streams the messages of a room, oldest first: those that are stored, then each new
	 * one. A query without a result is sent as a comment, which keeps proxies from
	 * closing the connection.
	 * @param room the room's id
	 * @param after only messages with a higher id are sent
	 * @return the events; never completes
	 */
	Flux<ServerSentEvent<Message>> follow(long room, long after) {
		return Flux.defer(() -> {
			AtomicLong last = new AtomicLong(after);
			return Flux.concat(readOn(room, last),
					Flux.interval(INTERVAL).onBackpressureLatest().concatMap((tick) -> readOn(room, last), 1));
		});
	}

	private Flux<ServerSentEvent<Message>> readOn(long room, AtomicLong last) {
		return page(room, last).expand((page) -> (page.size() < PAGE_SIZE) ? Mono.empty() : page(room, last))
			.concatMapIterable((page) -> page, 1)
			.map(MessageStream::event)
			.defaultIfEmpty(ServerSentEvent.<Message>builder().comment("nothing new").build());
	}

	private Mono<List<Message>> page(long room, AtomicLong last) {
		return Mono.defer(() -> this.messages.oldestAfter(room, last.get(), PAGE_SIZE).collectList())
			.filter((page) -> !page.isEmpty())
			.doOnNext((page) -> last.set(page.get(page.size() - 1).id()));
	}

	private static ServerSentEvent<Message> event(Message message) {
		return ServerSentEvent.builder(message).id(Long.toString(message.id())).event("message").build();
	}

}
