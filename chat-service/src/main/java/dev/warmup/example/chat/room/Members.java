package dev.warmup.example.chat.room;

import dev.warmup.example.chat.problem.NotFoundException;
import reactor.core.publisher.Mono;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** The members of rooms. Safe for concurrent use. */
@Service
public class Members {

	private final RoomRepository rooms;

	Members(RoomRepository rooms) {
		this.rooms = rooms;
	}

	/**
	 * Makes a user a member, if not one already.
	 * @param room the room's id
	 * @param user the user's id
	 * @return completes when done; fails with {@link NotFoundException} when there is no
	 * such room or user
	 */
	public Mono<Void> join(long room, long user) {
		return this.rooms.addMemberIfAbsent(room, user)
			.onErrorReturn(DuplicateKeyException.class, 1L) // another request was faster
			.onErrorMap(DataIntegrityViolationException.class, (ex) -> new NotFoundException("user", user))
			.filterWhen((added) -> (added > 0) ? Mono.just(true) : this.rooms.existsById(room))
			.switchIfEmpty(Mono.error(() -> new NotFoundException("room", room)))
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
