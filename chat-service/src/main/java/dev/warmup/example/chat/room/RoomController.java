package dev.warmup.example.chat.room;

import java.util.List;

import dev.warmup.example.chat.problem.NotFoundException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Creates, lists, finds and closes rooms, and keeps their members. */
@RestController
@RequestMapping("/rooms")
class RoomController {

	private final RoomRepository rooms;

	private final Members members;

	RoomController(RoomRepository rooms, Members members) {
		this.rooms = rooms;
		this.members = members;
	}

	@PostMapping
	Mono<ResponseEntity<Room>> create(@Valid @RequestBody NewRoom room, UriComponentsBuilder here) {
		return this.rooms.save(new Room(0, room.name().strip()))
			.map((saved) -> ResponseEntity.created(here.path("/rooms/{id}").build(saved.id())).body(saved));
	}

	/**
	 * Lists rooms, oldest first; {@code after} is the last id of the previous page. The
	 * answer begins after the query, which a client that leaves then does not cancel.
	 */
	@GetMapping
	Mono<List<Room>> list(@RequestParam(defaultValue = "0") long after,
			@RequestParam(defaultValue = "50") @Min(1) @Max(100) int limit) {
		return this.rooms.page(after, limit).collectList();
	}

	@GetMapping("/{id}")
	Mono<Room> find(@PathVariable long id) {
		return this.rooms.findById(id).switchIfEmpty(Mono.error(() -> new NotFoundException("room", id)));
	}

	/** Removes the room; the schema's cascades remove its members and messages. */
	@DeleteMapping("/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> close(@PathVariable long id) {
		return this.rooms.removeById(id)
			.filter((removed) -> removed > 0)
			.switchIfEmpty(Mono.error(() -> new NotFoundException("room", id)))
			.then();
	}

	/** Makes a user a member; idempotent. */
	@PutMapping("/{room}/members/{user}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> join(@PathVariable long room, @PathVariable long user) {
		return this.members.join(room, user);
	}

	/** Ends a membership; idempotent. */
	@DeleteMapping("/{room}/members/{user}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> leave(@PathVariable long room, @PathVariable long user) {
		return this.members.leave(room, user);
	}

	/**
	 * A room to be created.
	 *
	 * @param name need not be unique
	 */
	record NewRoom(@NotBlank @Size(max = 80) String name) {
	}

}
