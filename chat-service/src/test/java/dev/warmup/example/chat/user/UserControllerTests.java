package dev.warmup.example.chat.user;

import java.util.Map;

import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.StatusAssertions;

@ChatTest
class UserControllerTests {

	@Autowired
	ChatClient chat;

	@Test
	void signUpReturnsTheUserAndItsLocation() {
		this.chat.http()
			.post()
			.uri("/users")
			.header("X-Forwarded-Host", "gateway:8000")
			.header("X-Forwarded-Prefix", "/chat-service")
			.bodyValue(Map.of("email", "Ann@Example.org", "name", "Ann"))
			.exchange()
			.expectStatus()
			.isCreated()
			.expectHeader()
			.valueMatches("Location", "http://gateway:8000/chat-service/users/\\d+")
			.expectBody()
			.jsonPath("$.id")
			.isNumber()
			.jsonPath("$.email")
			.isEqualTo("ann@example.org")
			.jsonPath("$.name")
			.isEqualTo("Ann");
	}

	@Test
	void emailIsUniqueIgnoringCase() {
		signUp("bob@example.org").isEqualTo(HttpStatus.CREATED);
		signUp("BOB@example.org").isEqualTo(HttpStatus.CONFLICT)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void invalidValuesAreRefusedWithProblemDetails() {
		this.chat.http()
			.post()
			.uri("/users")
			.bodyValue(Map.of("email", "invalid", "name", " "))
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void withdrawalRemovesTheMessages() {
		long user = this.chat.signUp();
		long room = this.chat.createRoom();
		this.chat.post(room, user, "Good-bye");
		this.chat.http().delete().uri("/users/{id}", user).exchange().expectStatus().isNoContent();
		this.chat.http().get().uri("/users/{id}", user).exchange().expectStatus().isNotFound();
		this.chat.http()
			.get()
			.uri("/rooms/{id}/messages", room)
			.exchange()
			.expectBody()
			.jsonPath("$.messages")
			.isEmpty();
	}

	private StatusAssertions signUp(String email) {
		return this.chat.http()
			.post()
			.uri("/users")
			.bodyValue(Map.of("email", email, "name", "Bob"))
			.exchange()
			.expectStatus();
	}

}
