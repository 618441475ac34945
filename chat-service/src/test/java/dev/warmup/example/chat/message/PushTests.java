package dev.warmup.example.chat.message;

import java.util.Map;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import dev.warmup.example.chat.ChatClient;
import dev.warmup.example.chat.ChatTest;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.moreThanOrExactly;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;

@ChatTest
class PushTests {

	@RegisterExtension
	static final WireMockExtension pushService = WireMockExtension.newInstance().build();

	@Autowired
	ChatClient chat;

	@Autowired
	Instance.Source instance;

	@Autowired
	WarmupKey key;

	@DynamicPropertySource
	static void pushUrl(DynamicPropertyRegistry registry) {
		registry.add("chat.push.url", () -> pushService.baseUrl() + "/push");
		registry.add("chat.push.timeout", () -> "30s"); // the first request loads classes
	}

	@Test
	void pushesAMessage() {
		pushService.stubFor(post("/push").willReturn(ok()));
		long room = this.chat.createRoom();
		long author = this.chat.signUp();
		long message = this.chat.post(room, author, "Lunch?");
		pushService.verify(1,
				pushed("Lunch?").withRequestBody(matchingJsonPath("$[?(@.id == %d)]".formatted(message)))
					.withRequestBody(matchingJsonPath("$[?(@.roomId == %d)]".formatted(room)))
					.withRequestBody(matchingJsonPath("$[?(@.userId == %d)]".formatted(author))));
	}

	@Test
	void pushesNothingForAWarmUp() {
		postClaimed("synthetic",
				this.key.claim(this.instance.get().instanceId(), "gateway", SignedClaim.Scope.REPLAY, "run").format());
		pushService.verify(0, pushed("synthetic"));
	}

	@Test
	void claimThatNobodySignedSkipsNothing() {
		postClaimed("forged", "instance=" + this.instance.get().instanceId() + "; run=run");
		pushService.verify(1, pushed("forged"));
	}

	private void postClaimed(String text, String claim) {
		pushService.stubFor(post("/push").willReturn(ok()));
		this.chat.http()
			.post()
			.uri("/rooms/{room}/messages", this.chat.createRoom())
			.header(WarmupClaim.HEADER, claim)
			.bodyValue(Map.of("userId", this.chat.signUp(), "text", text))
			.exchange()
			.expectStatus()
			.isCreated();
	}

	@Test
	void messageIsStoredWhilePushServiceFails() {
		pushService.stubFor(post("/push").willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		long room = this.chat.createRoom();
		this.chat.post(room, this.chat.signUp(), "Anyone?");
		pushService.verify(moreThanOrExactly(1), pushed("Anyone?"));
		this.chat.http()
			.get()
			.uri("/rooms/{room}/messages", room)
			.exchange()
			.expectBody()
			.jsonPath("$.messages[0].text")
			.isEqualTo("Anyone?");
	}

	private static RequestPatternBuilder pushed(String text) {
		return postRequestedFor(urlEqualTo("/push")).withRequestBody(matchingJsonPath("$.text", equalTo(text)));
	}

}
