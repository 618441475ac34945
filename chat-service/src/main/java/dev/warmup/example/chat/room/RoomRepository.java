package dev.warmup.example.chat.room;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.r2dbc.repository.Modifying;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/** The table of {@link Room rooms}. */
public interface RoomRepository extends ReactiveCrudRepository<Room, Long> {

	/** Rooms with a higher id, oldest first. */
	@Query("SELECT id, name FROM rooms WHERE id > :after ORDER BY id LIMIT :limit")
	Flux<Room> page(long after, int limit);

	/**
	 * Locks a room until the end of the transaction, which serializes writes to it.
	 * @param id the room
	 * @return the room, or empty if there is none
	 */
	@Query("SELECT id, name FROM rooms WHERE id = :id FOR UPDATE")
	Mono<Room> lock(long id);

	/** Removes a room in one round trip, and returns the number of removed rows. */
	@Modifying
	@Query("DELETE FROM rooms WHERE id = :id")
	Mono<Long> removeById(long id);

}
