package dev.warmup.run;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Gateway;
import dev.warmup.protocol.Token;
import dev.warmup.registry.Announcer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
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
	void aGatewayThatDoesNotKnowTheInstanceYetGetsNewsAgainAFewTimes() {
		this.gateway.onNews = () -> this.gateway.gatewaysOwn(404);
		parts().news().send();
		for (int sent = 1; sent <= 5; sent++) {
			int expected = sent;
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
	void whereGatewaysHaveNoRegistryAnInstanceAnnouncesItselfToEachEveryTenSeconds() {
		AtomicInteger located = new AtomicInteger();
		Mono<List<Gateway>> all = this.located;
		this.located = Mono.defer(() -> (located.getAndIncrement() == 1) ? Mono.error(new IOException("no DNS")) : all);
		this.announcer = Optional.of(new Announcer(Token.Secret.generate(), () -> FakeGateway.SELF, Optional.empty(),
				(address) -> URI.create("http://10.0.3.7:8080"), Clock.systemUTC()));
		Disposable renewals = parts().news().renewals().subscribe();
		for (int tick = 1; tick <= 3; tick++) {
			this.time.advanceTimeBy(Duration.ofSeconds(10));
			int expected = (tick == 1) ? 1 : tick - 1;
			Awaitility.await()
				.atMost(TIMEOUT)
				.until(() -> this.gateway.announcements.size() == expected
						&& this.other.announcements.size() == expected);
		}
		renewals.dispose();
		assertThat(this.gateway.announcements).allMatch((announcement) -> announcement.startsWith("PUT "));
	}

	@Test
	void whereGatewaysHaveARegistryNothingIsRenewed() {
		parts().news().renewals().subscribe();
		this.time.advanceTimeBy(Duration.ofMinutes(1));
		assertThat(this.gateway.news).isEmpty();
	}

	@Test
	void whereGatewaysCannotBeLocatedNothingFails() {
		this.located = Mono.error(new IllegalStateException("no registry"));
		assertThat(parts().news().send().blockOptional(TIMEOUT)).isEmpty();
	}

}
