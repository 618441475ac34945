package dev.warmup.example.chat.room;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.r2dbc.repository.Modifying;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/** The tables of {@link Room rooms} and of their members. */
public interface RoomRepository extends ReactiveCrudRepository<Room, Long> {

	/** Rooms with a higher id, oldest first. */
	@Query("SELECT id, name FROM rooms WHERE id > :after ORDER BY id LIMIT :limit")
	Flux<Room> page(long after, int limit);

	/** Removes a room in one round trip, and returns the number of removed rows. */
	@Modifying
	@Query("DELETE FROM rooms WHERE id = :id")
	Mono<Long> removeById(long id);

	/** Adds a member, if the room exists and does not have it; returns how many. */
	@Modifying
	@Query("""
			INSERT INTO members (room_id, user_id) SELECT r.id, CAST(:user AS BIGINT) FROM rooms r
			WHERE r.id = :room AND NOT EXISTS (SELECT 1 FROM members m WHERE m.room_id = :room AND m.user_id = :user)
			""")
	Mono<Long> addMemberIfAbsent(long room, long user);

	/** Removes a member, and returns the number of removed rows. */
	@Modifying
	@Query("DELETE FROM members WHERE room_id = :room AND user_id = :user")
	Mono<Long> removeMember(long room, long user);

}
