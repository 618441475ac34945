package dev.warmup.example.chat.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.StepVerifierOptions;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AbandonedRequestsTests {

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));

	private final TestPublisher<Void> handling = TestPublisher.create();

	private final Mono<Void> request = new AbandonedRequests().filter(this.exchange,
			(exchange) -> this.handling.mono());

	@Test
	void isCarriedOutThoughItsClientHasGone() {
		StepVerifier.create(this.request).thenCancel().verify();
		this.handling.assertNotCancelled();
		this.handling.assertSubscribers();
	}

	@Test
	void endsWithItsClientOnceItsAnswerHasBegun() {
		StepVerifier.create(this.request)
			.then(() -> this.exchange.getResponse().setComplete().subscribe())
			.thenCancel()
			.verify();
		this.handling.assertCancelled();
	}

	@Test
	void endsBeforeItsAnswerBeginsWhereItsClientHasGone() {
		StepVerifier.create(this.request).thenCancel().verify();
		this.handling.assertNotCancelled();
		this.exchange.getResponse().setComplete().subscribe();
		this.handling.assertCancelled();
	}

	@Test
	void anErrorIsForItsClientAlone() {
		StepVerifier.create(this.request)
			.then(() -> this.handling.error(new IllegalStateException("broken")))
			.verifyErrorMessage("broken");
	}

	@Test
	void anErrorAfterItsClientHasGoneIsNotLogged() {
		List<Throwable> dropped = new CopyOnWriteArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try {
			StepVerifier.create(this.request).thenCancel().verify();
			this.handling.error(new IllegalStateException("broken"));
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
		assertThat(dropped).isEmpty();
	}

	@Test
	void keepsTheContext() {
		StepVerifier
			.create(new AbandonedRequests().filter(this.exchange,
					(exchange) -> Mono.deferContextual(
							(context) -> Mono.error(new IllegalStateException(context.<String>get("key"))))),
					StepVerifierOptions.create().withInitialContext(Context.of("key", "value")))
			.verifyErrorMessage("value");
	}

}
