package dev.warmup.run;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** In virtual time but for what is sent over HTTP. */
class NewsTests extends RunFixture {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	NewsTests() {
		this.scheduler = this.time;
		this.located = Mono.just(List.of(this.gateway.gateway(), this.other.gateway()));
	}

	@Test
	void everyGatewayIsToldAlsoWhereAnotherDoesNotAnswer() {
		this.gateway.close();
		parts().news().send();
		Awaitility.await().atMost(TIMEOUT).until(() -> !this.other.news.isEmpty());
	}

	@Test
	void aGatewayThatDoesNotKnowTheInstanceYetIsToldAgainAFewTimes() {
		this.gateway.onNews = () -> this.gateway.gatewaysOwn(404);
		parts().news().send();
		for (int told = 1; told <= 5; told++) {
			int expected = told;
			Awaitility.await().atMost(TIMEOUT).until(() -> {
				this.time.advanceTimeBy(Duration.ofMillis(100));
				return this.gateway.news.size() >= expected;
			});
		}
		this.time.advanceTimeBy(Duration.ofMinutes(1));
		Awaitility.await().during(Duration.ofMillis(200)).atMost(TIMEOUT).until(() -> this.gateway.news.size() == 5);
		assertThat(this.other.news).hasSize(1);
	}

	@Test
	void whereGatewaysCannotBeLocatedNothingFails() {
		this.located = Mono.error(new IllegalStateException("no registry"));
		assertThat(parts().news().send().blockOptional(TIMEOUT)).isEmpty();
	}

}
