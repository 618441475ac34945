package dev.warmup.example.chat.message;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

import org.springframework.stereotype.Component;

/**
 * Wakes this instance's readers of a room when a message was posted there. A signal
 * carries no message, so a busy reader misses nothing: it reads from the table. Posting
 * never waits for readers, since each has a sink of its own that accepts signals from
 * several threads at once.
 */
@Component
class RoomSignals {

	private final Map<Long, Set<FluxSink<Long>>> readers = new ConcurrentHashMap<>();

	/** Wakes the readers of a room. */
	void wake(long room) {
		this.readers.getOrDefault(room, Set.of()).forEach((reader) -> reader.next(room));
	}

	/** Emits on each signal of a room, if there is demand. Never completes. */
	Flux<Long> of(long room) {
		return Flux.create((reader) -> {
			this.readers.compute(room, (id, present) -> {
				Set<FluxSink<Long>> all = (present != null) ? present : ConcurrentHashMap.newKeySet();
				all.add(reader);
				return all;
			});
			// runs at once if the reader has already canceled
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
