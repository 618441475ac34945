package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.CapturedLog;
import dev.warmup.catalog.Catalog;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

class PreparedRequestTests {

	@Test
	void whatFailsOnceTheTimeIsOverIsNoError() {
		Mono<ClientResponse> late = Mono.<ClientResponse>never()
			.transformDeferredContextual((never, context) -> never.doOnCancel(() -> Operators
				.onErrorDropped(new IllegalStateException("released already"), Context.of(context))));
		WebClient client = WebClient.builder().exchangeFunction((request) -> late).build();
		Session session = ReplayFixture.session(new Catalog("", Map.of(), List.of()),
				URI.create("http://gateway.invalid"), ReplayFixture.endless());
		try (CapturedLog log = CapturedLog.of(Operators.class)) {
			StepVerifier
				.create(new PreparedRequest(client.get().uri(session.gateway()), session, Duration.ofMillis(50), false)
					.once())
				.expectNext(new Reply.Silence("no answer within 50 ms"))
				.expectComplete()
				.verify(ReplayFixture.PATIENCE);
			assertThat(log.lines()).isEmpty();
		}
	}

}
