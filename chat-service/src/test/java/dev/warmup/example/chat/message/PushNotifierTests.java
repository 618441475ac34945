package dev.warmup.example.chat.message;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.example.chat.room.Members;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** One notification in flight, two waiting. */
@Timeout(60)
class PushNotifierTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final List<Sinks.One<ClientResponse>> inFlight = new ArrayList<>();

	private final PushNotifier notifier = notifier(Duration.ofMinutes(1));

	@BeforeEach
	void start() {
		this.notifier.start();
	}

	@AfterEach
	void stop() {
		this.notifier.stop();
	}

	@Test
	void dropsAndCountsNotificationsBeyondTheLimits() {
		push(4);
		assertThat(this.inFlight).hasSize(1);
		assertThat(count("dropped")).isEqualTo(1);
		answer(0);
		assertThat(this.inFlight).hasSize(2);
		push(1);
		assertThat(count("dropped")).isEqualTo(1);
	}

	@Test
	void continuesAfterAFailure() {
		push(2);
		this.inFlight.get(0).tryEmitError(new IllegalStateException("refused"));
		answer(1);
		assertThat(count("failed")).isEqualTo(1);
		assertThat(count("sent")).isEqualTo(1);
	}

	@Test
	void shutdownWaitsForNotificationsInFlightAndAcceptsNoMore() {
		AtomicBoolean stopped = new AtomicBoolean();
		push(1);
		this.notifier.stop(() -> stopped.set(true));
		assertThat(stopped).isFalse();
		push(1);
		assertThat(count("dropped")).isEqualTo(1);
		answer(0);
		assertThat(stopped).isTrue();
		assertThat(this.notifier.isRunning()).isFalse();
	}

	@Test
	void shutdownDropsNotificationsInFlightAfterTheDrainTimeout() {
		AtomicBoolean stopped = new AtomicBoolean();
		PushNotifier hasty = notifier(Duration.ZERO);
		hasty.start();
		hasty.posted(message()).block(Duration.ofSeconds(30));
		hasty.stop(() -> stopped.set(true));
		await().untilTrue(stopped);
		assertThat(hasty.isRunning()).isFalse();
	}

	@Test
	void sendsAgainAfterARestart() {
		this.notifier.stop();
		this.notifier.start();
		push(1);
		answer(0);
		assertThat(count("sent")).isEqualTo(1);
	}

	private PushNotifier notifier(Duration drain) {
		Members members = mock(Members.class);
		given(members.of(anyLong())).willReturn(Flux.just(1L, 2L));
		WebClient.Builder client = WebClient.builder().exchangeFunction((request) -> {
			Sinks.One<ClientResponse> response = Sinks.one();
			this.inFlight.add(response);
			return response.asMono();
		});
		return new PushNotifier(members, client,
				new PushProperties(URI.create("http://push.example"), Duration.ofMinutes(1), 1, 2, drain), this.meters);
	}

	private void push(int messages) {
		Mono.defer(() -> this.notifier.posted(message())).repeat(messages - 1).blockLast();
	}

	private void answer(int index) {
		this.inFlight.get(index).tryEmitValue(ClientResponse.create(HttpStatus.OK).build());
	}

	private double count(String outcome) {
		return this.meters.counter("chat.push", "outcome", outcome).count();
	}

	private static Message message() {
		return new Message(1, 1, 1, "text", Instant.EPOCH);
	}

}
