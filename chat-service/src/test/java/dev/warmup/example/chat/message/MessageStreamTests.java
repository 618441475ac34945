package dev.warmup.example.chat.message;

import java.time.Duration;

import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;

@ChatTest
class MessageStreamTests {

	private static final ParameterizedTypeReference<ServerSentEvent<Message>> EVENT = new ParameterizedTypeReference<>() {
	};

	@Autowired
	ChatClient chat;

	@Autowired
	MessageStream stream;

	@Test
	void replaysWhatIsStoredThenFollowsWhatIsPosted() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		this.chat.post(room, user, "stored 1");
		this.chat.post(room, user, "stored 2");
		StepVerifier.create(texts(follow(room, "limit=4")))
			.expectNext("stored 1", "stored 2")
			.then(() -> this.chat.post(room, user, "live 1"))
			.expectNext("live 1")
			.then(() -> this.chat.post(room, user, "live 2"))
			.expectNext("live 2")
			.expectComplete()
			.verify(Duration.ofSeconds(60));
	}

	@Test
	void resumesAfterTheLastReceivedEvent() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		long first = this.chat.post(room, user, "one");
		long second = this.chat.post(room, user, "two");
		this.chat.post(room, user, "three");
		StepVerifier.create(texts(follow(room, "limit=1&after=" + second)))
			.expectNext("three")
			.expectComplete()
			.verify(Duration.ofSeconds(60));
		Flux<ServerSentEvent<Message>> resumed = WebClient.create(this.chat.url())
			.get()
			.uri("/rooms/{room}/messages/stream?limit=1&after=0", room)
			.header("Last-Event-ID", Long.toString(first))
			.retrieve()
			.bodyToFlux(EVENT);
		StepVerifier.create(resumed)
			.expectNextMatches((event) -> Long.toString(second).equals(event.id()) && "message".equals(event.event()))
			.expectComplete()
			.verify(Duration.ofSeconds(60));
	}

	@Test
	void slowReaderMissesNothing() {
		long room = this.chat.createRoom();
		long user = this.chat.signUp();
		StepVerifier.create(texts(this.stream.follow(room, 0)), 0).then(() -> {
			for (int i = 1; i <= 300; i++) { // three pages, more than a default queue
				this.chat.post(room, user, "message " + i);
			}
		}).thenRequest(300).expectNextCount(299).expectNext("message 300").thenCancel().verify(Duration.ofSeconds(60));
	}

	@Test
	void unknownRoomIsAProblemNotAStream() {
		this.chat.http().get().uri("/rooms/0/messages/stream").exchange().expectStatus().isNotFound();
	}

	private Flux<ServerSentEvent<Message>> follow(long room, String query) {
		return WebClient.create(this.chat.url())
			.get()
			.uri("/rooms/%d/messages/stream?%s".formatted(room, query))
			.retrieve()
			.bodyToFlux(EVENT);
	}

	private static Flux<String> texts(Flux<ServerSentEvent<Message>> events) {
		return events.mapNotNull(ServerSentEvent::data).map(Message::text);
	}

}
