package dev.warmup.example.chat.push;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.example.chat.message.Message;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

class PushExecutorTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final List<Sinks.Empty<Void>> underWay = new ArrayList<>();

	private final PushExecutor executor = executor(Duration.ofMinutes(1));

	@Test
	void dropsAndCountsWhatIsMoreThanMayRunAndWait() {
		this.executor.start();
		assertThat(this.executor.execute(message(1))).as("runs").isTrue();
		assertThat(this.executor.execute(message(2))).as("waits").isTrue();
		assertThat(this.executor.execute(message(3))).as("waits").isTrue();
		assertThat(this.executor.execute(message(4))).as("dropped").isFalse();
		assertThat(this.underWay).hasSize(1);
		assertThat(count("dropped")).isEqualTo(1);
		this.underWay.get(0).tryEmitEmpty();
		assertThat(this.underWay).as("the next one has begun").hasSize(2);
		assertThat(this.executor.execute(message(5))).as("there is room again").isTrue();
	}

	@Test
	void goesOnAfterAFailure() {
		this.executor.start();
		this.executor.execute(message(1));
		this.executor.execute(message(2));
		this.underWay.get(0).tryEmitError(new IllegalStateException("refused"));
		this.underWay.get(1).tryEmitEmpty();
		assertThat(count("failed")).isEqualTo(1);
		assertThat(count("sent")).isEqualTo(1);
	}

	@Test
	void stoppingWaitsForWhatIsUnderWayAndTakesNothingNew() {
		AtomicBoolean stopped = new AtomicBoolean();
		this.executor.start();
		this.executor.execute(message(1));
		this.executor.stop(() -> stopped.set(true));
		assertThat(stopped).isFalse();
		assertThat(this.executor.execute(message(2))).isFalse();
		this.underWay.get(0).tryEmitEmpty();
		assertThat(stopped).isTrue();
		assertThat(this.executor.isRunning()).isFalse();
	}

	@Test
	void stoppingWithoutDrainDropsWhatIsUnderWay() {
		AtomicBoolean stopped = new AtomicBoolean();
		PushExecutor hasty = executor(Duration.ZERO);
		hasty.start();
		hasty.execute(message(1));
		hasty.stop(() -> stopped.set(true));
		assertThat(stopped).isTrue();
		assertThat(hasty.isRunning()).isFalse();
	}

	private PushExecutor executor(Duration drain) {
		PushProperties properties = new PushProperties(URI.create("http://push.example"), Duration.ofSeconds(1), 1, 2,
				drain);
		return new PushExecutor((message) -> {
			Sinks.Empty<Void> sending = Sinks.empty();
			return sending.asMono().doFirst(() -> this.underWay.add(sending));
		}, properties, new PushMeters(this.meters));
	}

	private double count(String outcome) {
		return this.meters.get("chat.push").tag("outcome", outcome).counter().count();
	}

	private static Message message(long id) {
		return new Message(id, 1, 1, "text", Instant.EPOCH);
	}

}
