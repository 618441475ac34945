package dev.warmup.example.chat.user;

import java.util.Locale;

import dev.warmup.example.chat.problem.NotFoundException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Signs users up, finds them, and removes them. */
@RestController
@RequestMapping("/users")
class UserController {

	private final UserRepository users;

	UserController(UserRepository users) {
		this.users = users;
	}

	/** Answers 201 with the new user and its location; 409 if the e-mail is taken. */
	@PostMapping
	Mono<ResponseEntity<User>> signUp(@Valid @RequestBody SignUp signUp, UriComponentsBuilder here) {
		return this.users.save(signUp.toUser())
			.onErrorMap(DuplicateKeyException.class, UserController::emailTaken)
			.map((user) -> ResponseEntity.created(here.path("/users/{id}").build(user.id())).body(user));
	}

	@GetMapping("/{id}")
	Mono<User> find(@PathVariable long id) {
		return this.users.findById(id).switchIfEmpty(Mono.error(() -> new NotFoundException("user", id)));
	}

	/** Removes the user; the schema's cascades remove memberships and messages. */
	@DeleteMapping("/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	Mono<Void> withdraw(@PathVariable long id) {
		return this.users.removeById(id)
			.filter((removed) -> removed > 0)
			.switchIfEmpty(Mono.error(() -> new NotFoundException("user", id)))
			.then();
	}

	private static ErrorResponseException emailTaken(DuplicateKeyException cause) {
		return new ErrorResponseException(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"A user with this e-mail address has already signed up."), cause);
	}

	/**
	 * A user to be signed up.
	 *
	 * @param email must be unique, ignoring case
	 * @param name the name shown to others
	 */
	record SignUp(@NotBlank @Email @Size(max = 254) String email, @NotBlank @Size(max = 80) String name) {

		User toUser() {
			return new User(0, this.email.strip().toLowerCase(Locale.ROOT), this.name.strip());
		}

	}

}
