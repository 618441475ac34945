package dev.warmup.example.chat.message;

import reactor.core.publisher.Flux;

import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/** The table of {@link Message messages}. */
interface MessageRepository extends ReactiveCrudRepository<Message, Long> {

	/** The newest messages with a lower id, newest first. */
	@Query("SELECT * FROM messages WHERE room_id = :room AND id < :before ORDER BY id DESC LIMIT :limit")
	Flux<Message> newestBefore(long room, long before, int limit);

	/** The oldest messages with a higher id, oldest first. */
	@Query("SELECT * FROM messages WHERE room_id = :room AND id > :after ORDER BY id LIMIT :limit")
	Flux<Message> oldestAfter(long room, long after, int limit);

}
