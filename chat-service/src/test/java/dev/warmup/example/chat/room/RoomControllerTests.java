package dev.warmup.example.chat.room;

import java.time.Duration;
import java.util.Map;

import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

@ChatTest
class RoomControllerTests {

	@Autowired
	ChatClient chat;

	@Autowired
	DatabaseClient database;

	@Test
	void listsThePageAfterAnId() {
		long room = this.chat.createRoom();
		this.chat.http()
			.get()
			.uri("/rooms?after={id}&limit=1", room - 1)
			.exchange()
			.expectBody()
			.jsonPath("$.length()")
			.isEqualTo(1)
			.jsonPath("$[0].id")
			.isEqualTo(room);
	}

	@Test
	void closingARoomRemovesItsMessages() {
		long room = this.chat.createRoom();
		this.chat.post(room, this.chat.signUp(), "Last one out");
		this.chat.http().delete().uri("/rooms/{id}", room).exchange().expectStatus().isNoContent();
		this.chat.http().get().uri("/rooms/{id}", room).exchange().expectStatus().isNotFound();
		this.chat.http().get().uri("/rooms/{id}/messages", room).exchange().expectStatus().isNotFound();
		this.chat.http().delete().uri("/rooms/{id}", room).exchange().expectStatus().isNotFound();
	}

	@Test
	void joiningIsIdempotent() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		this.chat.join(room, user);
		this.chat.join(room, user);
		StepVerifier.create(members(room)).expectNext(user).expectComplete().verify(Duration.ofSeconds(30));
	}

	@Test
	void leavingEndsTheMembership() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		this.chat.join(room, user);
		this.chat.http()
			.delete()
			.uri("/rooms/{room}/members/{user}", room, user)
			.exchange()
			.expectStatus()
			.isNoContent();
		StepVerifier.create(members(room)).expectComplete().verify(Duration.ofSeconds(30));
	}

	private Flux<Long> members(long room) {
		return this.database.sql("SELECT user_id FROM members WHERE room_id = :room")
			.bind("room", room)
			.mapValue(Long.class)
			.all();
	}

	@Test
	void invalidValuesAreRefused() {
		this.chat.http()
			.post()
			.uri("/rooms")
			.bodyValue(Map.of("name", "x".repeat(81)))
			.exchange()
			.expectStatus()
			.isBadRequest();
		this.chat.http().get().uri("/rooms?limit=0").exchange().expectStatus().isBadRequest();
	}

}
