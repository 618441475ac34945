package dev.warmup.example.chat.message;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Wakes this instance's readers of a room when something was posted there. Carries no
 * message: a reader who is busy misses nothing, for the table keeps it. Who posts waits
 * for nobody: readers have a sink each, which takes signals from several threads at once.
 */
@Component
class RoomSignals implements PostObserver {

	private final Map<Long, Set<FluxSink<Long>>> readers = new ConcurrentHashMap<>();

	@Override
	public Mono<Void> posted(Message message) {
		return Mono.fromRunnable(() -> wake(message.roomId()));
	}

	/** Wakes those who read a room. */
	void wake(long room) {
		this.readers.getOrDefault(room, Set.of()).forEach((reader) -> reader.next(room));
	}

	/**
	 * Never ends; emits, to no one who has not asked for it, each time the room was
	 * woken.
	 */
	Flux<Long> of(long room) {
		return Flux.create((reader) -> {
			this.readers.compute(room, (id, present) -> {
				Set<FluxSink<Long>> all = (present != null) ? present : ConcurrentHashMap.newKeySet();
				all.add(reader);
				return all;
			});
			// at once, where it has left already
			reader.onDispose(() -> leave(room, reader));
		}, FluxSink.OverflowStrategy.DROP);
	}

	private void leave(long room, FluxSink<Long> reader) {
		this.readers.computeIfPresent(room, (id, present) -> {
			present.remove(reader);
			return present.isEmpty() ? null : present;
		});
	}

}
