package dev.warmup.example.chat.message;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

class PushNotifierTests {

	private static final Message MESSAGE = new Message(1, 2, 3, "Lunch?", Instant.EPOCH);

	private final AtomicInteger pushed = new AtomicInteger();

	@Test
	void pushesTheMessageOfAUser() {
		push(HttpStatus.OK, Context.empty());
		assertThat(this.pushed).hasValue(1);
	}

	@Test
	void pushesNothingForAWarmUp() {
		push(HttpStatus.OK, Context.of(WarmupContext.class, new WarmupContext("instance", "run")));
		assertThat(this.pushed).hasValue(0);
	}

	@Test
	void failureOfThePushServiceIsNotTheUsers() {
		push(HttpStatus.SERVICE_UNAVAILABLE, Context.empty());
		assertThat(this.pushed).hasValue(1);
	}

	private void push(HttpStatus answer, Context context) {
		WebClient.Builder client = WebClient.builder().exchangeFunction((request) -> {
			this.pushed.incrementAndGet();
			return Mono.just(ClientResponse.create(answer).build());
		});
		new PushNotifier(client, "http://push.invalid", Duration.ofSeconds(30)).posted(MESSAGE)
			.contextWrite(context)
			.block(Duration.ofSeconds(30));
	}

}
