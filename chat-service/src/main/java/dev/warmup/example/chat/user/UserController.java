package dev.warmup.example.chat.user;

import dev.warmup.example.chat.problem.NotFoundException;
import jakarta.validation.Valid;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Sign-up, find, withdraw. */
@RestController
@RequestMapping("/users")
class UserController {

	private final UserRepository users;

	UserController(UserRepository users) {
		this.users = users;
	}

	/** Answers 201 with the new user and its place; 409 when the e-mail is taken. */
	@PostMapping
	Mono<ResponseEntity<User>> signUp(@Valid @RequestBody SignUp signUp, UriComponentsBuilder here) {
		return this.users.save(signUp.toUser())
			.onErrorMap(DuplicateKeyException.class, EmailTakenException::new)
			.map((user) -> ResponseEntity.created(here.path("/users/{id}").build(user.id())).body(user));
	}

	@GetMapping("/{id}")
	Mono<User> find(@PathVariable long id) {
		return this.users.findById(id).switchIfEmpty(Mono.error(() -> new NotFoundException("user", id)));
	}

	/** Removes the user, and by the schema's cascades all memberships and messages. */
	@DeleteMapping("/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> withdraw(@PathVariable long id) {
		return this.users.removeById(id)
			.filter((removed) -> removed > 0)
			.switchIfEmpty(Mono.error(() -> new NotFoundException("user", id)))
			.then();
	}

}
