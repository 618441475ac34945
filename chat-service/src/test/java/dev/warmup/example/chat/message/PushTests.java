package dev.warmup.example.chat.message;

import java.time.Duration;
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
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ChatTest
class PushTests {

	@RegisterExtension
	static final WireMockExtension pushService = WireMockExtension.newInstance().build();

	@Autowired
	ChatClient chat;

	@Autowired
	MeterRegistry meters;

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
	void notifiesAllMembersButTheAuthor() {
		pushService.stubFor(post("/push").willReturn(ok()));
		double before = count("sent");
		long room = this.chat.createRoom();
		long author = this.chat.signUp();
		long member = this.chat.signUp();
		this.chat.join(room, member);
		long message = this.chat.post(room, author, "Lunch?");
		awaitCount("sent", before + 1);
		pushService.verify(1, postRequestedFor(urlEqualTo("/push")).withRequestBody(equalToJson("""
				{"roomId": %d, "messageId": %d, "senderId": %d, "text": "Lunch?", "recipientIds": [%d]}
				""".formatted(room, message, author, member))));
	}

	@Test
	void sendsNothingForAWarmUp() {
		postClaimed("synthetic",
				this.key.claim(this.instance.get().instanceId(), "gateway", SignedClaim.Scope.REPLAY, "run").format());
		pushService.verify(0, pushed("synthetic"));
	}

	@Test
	void claimThatNobodySignedSkipsNothing() {
		postClaimed("forged", "instance=" + this.instance.get().instanceId() + "; run=run");
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> pushService.verify(1, pushed("forged")));
	}

	/** Followed by a user's message, which is pushed after the claimed one would be. */
	private void postClaimed(String text, String claim) {
		pushService.stubFor(post("/push").willReturn(ok()));
		long room = this.chat.createRoom();
		long author = this.chat.signUp();
		this.chat.join(room, this.chat.signUp());
		this.chat.http()
			.post()
			.uri("/rooms/{room}/messages", room)
			.header(WarmupClaim.HEADER, claim)
			.bodyValue(Map.of("userId", author, "text", text))
			.exchange()
			.expectStatus()
			.isCreated();
		this.chat.post(room, author, "after " + text);
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> pushService.verify(1, pushed("after " + text)));
	}

	private static RequestPatternBuilder pushed(String text) {
		return postRequestedFor(urlEqualTo("/push")).withRequestBody(matchingJsonPath("$.text", equalTo(text)));
	}

	@Test
	void messageIsStoredWhilePushServiceFails() {
		pushService.stubFor(post("/push").willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		double before = count("failed");
		long room = this.chat.createRoom();
		this.chat.join(room, this.chat.signUp());
		this.chat.http()
			.post()
			.uri("/rooms/{room}/messages", room)
			.bodyValue(Map.of("userId", this.chat.signUp(), "text", "Anyone?"))
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CREATED);
		awaitCount("failed", before + 1);
	}

	private double count(String outcome) {
		return this.meters.counter("chat.push", "outcome", outcome).count();
	}

	private void awaitCount(String outcome, double expected) {
		await().atMost(Duration.ofSeconds(60)).until(() -> count(outcome) >= expected);
		assertThat(count(outcome)).isEqualTo(expected);
	}

}
