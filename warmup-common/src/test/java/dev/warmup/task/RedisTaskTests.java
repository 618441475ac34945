package dev.warmup.task;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A real client over real connections to a peer that speaks its protocol. */
class RedisTaskTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final RedisPeer redis = new RedisPeer();

	private final LettuceConnectionFactory factory = new LettuceConnectionFactory("localhost", this.redis.port());

	@BeforeEach
	void start() {
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.redis.close();
	}

	@Test
	void aServletServicesConnectionIsOpenedAndKept() {
		StepVerifier.create(new RedisTask(() -> List.of(this.factory)).run()).expectComplete().verify(PATIENCE);
		assertThat(this.redis.commands()).endsWith("PING");
		assertThat(this.redis.connections()).isEqualTo(1);
		StepVerifier.create(new RedisTask(() -> List.of(this.factory)).run()).expectComplete().verify(PATIENCE);
		assertThat(this.redis.connections()).isEqualTo(1);
	}

	@Test
	void aReactiveServicesConnectionIsOpenedAndKept() {
		StepVerifier.create(new ReactiveRedisTask(() -> List.of(this.factory)).run()).expectComplete().verify(PATIENCE);
		assertThat(this.redis.commands()).endsWith("PING");
		assertThat(this.redis.connections()).isEqualTo(1);
		StepVerifier.create(new ReactiveRedisTask(() -> List.of(this.factory)).run()).expectComplete().verify(PATIENCE);
		assertThat(this.redis.connections()).isEqualTo(1);
	}

	@Test
	void withoutItsServerATaskFailsAndTheOthersConnectionsAreOpened() {
		LettuceConnectionFactory nowhere = new LettuceConnectionFactory("localhost", 1);
		nowhere.afterPropertiesSet();
		nowhere.start();
		StepVerifier.create(new RedisTask(() -> List.of(nowhere, this.factory)).run())
			.expectError(RedisConnectionFailureException.class)
			.verify(PATIENCE);
		StepVerifier.create(new ReactiveRedisTask(() -> List.of(nowhere, this.factory)).run())
			.expectError(RedisConnectionFailureException.class)
			.verify(PATIENCE);
		assertThat(this.redis.connections()).isEqualTo(2);
		nowhere.destroy();
	}

}
