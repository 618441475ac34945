package dev.warmup.example.chat.message;

import java.time.Duration;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.stereotype.Component;

/**
 * Wakes this instance's readers of a room when something was posted there. Carries no
 * message: a reader who is busy misses nothing, for the table keeps it.
 */
@Component
class RoomSignals implements PostObserver {

	private static final Sinks.EmitFailureHandler RETRY_WHILE_ANOTHER_EMITS = Sinks.EmitFailureHandler
		.busyLooping(Duration.ofSeconds(1));

	private final Sinks.Many<Long> rooms = Sinks.many().multicast().directBestEffort();

	@Override
	public Mono<Void> posted(Message message) {
		return Mono.fromRunnable(() -> wake(message.roomId()));
	}

	/** Wakes those who read a room. */
	void wake(long room) {
		this.rooms.emitNext(room, RETRY_WHILE_ANOTHER_EMITS);
	}

	/**
	 * Never ends; emits, to no one who has not asked for it, each time the room was
	 * woken.
	 */
	Flux<Long> of(long room) {
		return this.rooms.asFlux().filter((woken) -> woken == room);
	}

}
