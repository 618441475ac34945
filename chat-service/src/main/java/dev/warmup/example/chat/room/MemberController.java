package dev.warmup.example.chat.room;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Join and leave; both may be repeated. */
@RestController
@RequestMapping("/rooms/{room}/members/{user}")
class MemberController {

	private final Members members;

	MemberController(Members members) {
		this.members = members;
	}

	@PutMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> join(@PathVariable long room, @PathVariable long user) {
		return this.members.join(room, user);
	}

	@DeleteMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> leave(@PathVariable long room, @PathVariable long user) {
		return this.members.leave(room, user);
	}

}
