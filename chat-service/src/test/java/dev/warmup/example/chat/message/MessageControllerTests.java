package dev.warmup.example.chat.message;

import java.util.Map;

import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

@ChatTest
class MessageControllerTests {

	@Autowired
	ChatClient chat;

	@Test
	void pagesFromTheNewestToTheOldestMessage() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		long first = this.chat.post(room, user, "one");
		long second = this.chat.post(room, user, "two");
		long third = this.chat.post(room, user, "three");
		MessagePage newest = page(room, "limit=2");
		assertThat(newest.messages()).extracting(Message::id).containsExactly(third, second);
		assertThat(newest.next()).hasValue(second);
		MessagePage older = page(room, "limit=2&before=" + second);
		assertThat(older.messages()).extracting(Message::id).containsExactly(first);
		assertThat(older.next()).isEmpty();
	}

	@Test
	void storedMessageEqualsTheAnswer() {
		long room = this.chat.createRoom();
		Message answered = this.chat.http()
			.post()
			.uri("/rooms/{room}/messages", room)
			.bodyValue(Map.of("userId", this.chat.signUp(), "text", "Grüße 👋"))
			.exchange()
			.expectBody(Message.class)
			.returnResult()
			.getResponseBody();
		assertThat(page(room, "limit=1").messages()).containsExactly(answered);
	}

	@Test
	void postingRequiresARoomAndAUser() {
		problem(0, this.chat.signUp(), "No room has the id 0.");
		problem(1, 4711_4711, "No user has the id 47114711.");
	}

	private void problem(long room, long user, String detail) {
		this.chat.http()
			.post()
			.uri("/rooms/{room}/messages", room)
			.bodyValue(Map.of("userId", user, "text", "Hello?"))
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo(detail);
	}

	private MessagePage page(long room, String query) {
		return this.chat.http()
			.get()
			.uri("/rooms/%d/messages?%s".formatted(room, query))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(MessagePage.class)
			.returnResult()
			.getResponseBody();
	}

}
