package dev.warmup.example.chat.message;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;

/**
 * Follows rooms. The table is the buffer: on each signal, a reader queries a page after
 * the last message it received, and the next page once it has consumed that one. A slow
 * reader holds one page and no connection, and stored and live messages neither overlap
 * nor leave a gap.
 */
@Component
class MessageStream {

	private static final int PAGE_SIZE = 100;

	private final MessageRepository messages;

	private final RoomSignals signals;

	private final Duration heartbeat;

	/**
	 * Creates the stream.
	 * @param heartbeat how often the table is queried for messages posted at other
	 * instances; the comment sent when there are none keeps proxies from closing the
	 * connection
	 */
	MessageStream(MessageRepository messages, RoomSignals signals,
			@Value("${chat.stream.heartbeat:10s}") Duration heartbeat) {
		this.messages = messages;
		this.signals = signals;
		this.heartbeat = heartbeat;
	}

	/**
	 * Streams the messages of a room, oldest first: those that are stored, then each new
	 * one. A query without a result is sent as a comment.
	 * @param room the room's id
	 * @param after only messages with a higher id are sent
	 * @return the events; never completes
	 */
	Flux<ServerSentEvent<Message>> follow(long room, long after) {
		return Flux.defer(() -> {
			AtomicLong last = new AtomicLong(after);
			return Flux.merge(Mono.just(room), this.signals.of(room), Flux.interval(this.heartbeat))
				.onBackpressureLatest()
				.concatMap((wake) -> readOn(room, last), 1);
		});
	}

	private Flux<ServerSentEvent<Message>> readOn(long room, AtomicLong last) {
		return page(room, last).expand((page) -> (page.size() < PAGE_SIZE) ? Mono.empty() : page(room, last))
			.concatMapIterable((page) -> page, 1)
			.map(MessageStream::event)
			.defaultIfEmpty(ServerSentEvent.<Message>builder().comment("nothing new").build());
	}

	private Mono<List<Message>> page(long room, AtomicLong last) {
		return Mono
			.deferContextual((context) -> uncanceled(
					this.messages.oldestAfter(room, last.get(), PAGE_SIZE).collectList().contextWrite(context)))
			.filter((page) -> !page.isEmpty())
			.doOnNext((page) -> last.set(page.get(page.size() - 1).id()));
	}

	/**
	 * A query that is canceled may leave its connection lost (spring-framework#32115).
	 */
	private static <T> Mono<T> uncanceled(Mono<T> query) {
		return Mono.fromFuture(query::toFuture, true);
	}

	private static ServerSentEvent<Message> event(Message message) {
		return ServerSentEvent.builder(message).id(Long.toString(message.id())).event("message").build();
	}

}
