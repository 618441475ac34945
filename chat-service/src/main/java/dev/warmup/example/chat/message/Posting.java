package dev.warmup.example.chat.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.warmup.example.chat.room.Members;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores messages, those of one room one after the other: a reader that has seen an id
 * never misses a lower one.
 */
@Service
class Posting {

	private final Members members;

	private final MessageRepository messages;

	Posting(Members members, MessageRepository messages) {
		this.members = members;
		this.messages = messages;
	}

	/**
	 * Stores a message, and makes its author a member.
	 * @return the stored message; fails with
	 * {@link dev.warmup.example.chat.problem.NotFoundException} when there is no such
	 * room or user
	 */
	@Transactional
	Mono<Message> post(long room, long user, String text) {
		return this.members.join(room, user) // locks the room
			.then(Mono.defer(() -> this.messages.save(new Message(0, room, user, text, now()))));
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MICROS);
	}

}
