package dev.warmup.example.chat.message;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.warmup.example.chat.room.Members;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores messages. Those of one room are stored one after the other, so that no reader
 * who has seen an id ever misses a lower one.
 */
@Service
class Posting {

	private final Members members;

	private final MessageRepository messages;

	private final Clock clock = Clock.systemUTC();

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
	Mono<Message> post(long room, NewMessage message) {
		return this.members.join(room, message.userId()) // locks the room
			.then(Mono.defer(() -> this.messages.save(new Message(0, room, message.userId(), message.text(), now()))));
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MICROS);
	}

}
