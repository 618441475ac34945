package dev.warmup.example.chat.room;

import dev.warmup.example.chat.problem.NotFoundException;
import reactor.core.publisher.Mono;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The members of rooms. Safe for concurrent use. */
@Service
public class Members {

	private final RoomRepository rooms;

	Members(RoomRepository rooms) {
		this.rooms = rooms;
	}

	/**
	 * Makes a user a member, if not one already. The room stays locked until the end of
	 * the caller's transaction, if there is one.
	 * @param room the room's id
	 * @param user the user's id
	 * @return completes when done; fails with {@link NotFoundException} when there is no
	 * such room or user
	 */
	@Transactional
	public Mono<Void> join(long room, long user) {
		return this.rooms.lock(room)
			.switchIfEmpty(Mono.error(() -> new NotFoundException("room", room)))
			.then(this.rooms.addMemberIfAbsent(room, user))
			// the room exists and is locked, so the violated foreign key is the user's
			.onErrorMap(DataIntegrityViolationException.class, (ex) -> new NotFoundException("user", user))
			.then();
	}

	/**
	 * Ends a membership, if there is one.
	 * @param room the room's id
	 * @param user the user's id
	 * @return completes when done
	 */
	public Mono<Void> leave(long room, long user) {
		return this.rooms.removeMember(room, user).then();
	}

}
