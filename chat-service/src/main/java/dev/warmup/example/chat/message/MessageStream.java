package dev.warmup.example.chat.message;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;

/**
 * Follows rooms. The table is the buffer: a reader is woken, reads a page after the last
 * message it was given, and reads the next one only when it has taken that. So a slow
 * reader holds one page and no connection, and replay and live cannot overlap or leave a
 * gap.
 */
@Component
@EnableConfigurationProperties(StreamProperties.class)
class MessageStream {

	private final MessageRepository messages;

	private final RoomSignals signals;

	private final StreamProperties properties;

	MessageStream(MessageRepository messages, RoomSignals signals, StreamProperties properties) {
		this.messages = messages;
		this.signals = signals;
		this.properties = properties;
	}

	/**
	 * Streams the messages of a room, oldest first: at first those that are stored, then
	 * each that is posted. Whenever a look finds none, a comment is sent.
	 * @param room the room's id
	 * @param after where to begin: only messages with a higher id are sent
	 * @return never ends
	 */
	Flux<ServerSentEvent<Message>> follow(long room, long after) {
		return Flux.defer(() -> {
			AtomicLong last = new AtomicLong(after);
			return Flux.merge(Mono.just(room), this.signals.of(room), Flux.interval(this.properties.heartbeat()))
				.onBackpressureLatest()
				.concatMap((wake) -> readOn(room, last), 1);
		});
	}

	private Flux<ServerSentEvent<Message>> readOn(long room, AtomicLong last) {
		return page(room, last)
			.expand((page) -> (page.size() < this.properties.page()) ? Mono.empty() : page(room, last))
			.concatMapIterable((page) -> page, 1)
			.map(MessageStream::event)
			.defaultIfEmpty(ServerSentEvent.<Message>builder().comment("nothing new").build());
	}

	private Mono<List<Message>> page(long room, AtomicLong last) {
		return Mono.defer(() -> this.messages.oldestAfter(room, last.get(), this.properties.page()).collectList())
			.filter((page) -> !page.isEmpty())
			.doOnNext((page) -> last.set(page.get(page.size() - 1).id()));
	}

	private static ServerSentEvent<Message> event(Message message) {
		return ServerSentEvent.builder(message).id(Long.toString(message.id())).event("message").build();
	}

}
