package dev.warmup.task;

import java.time.Duration;

import dev.warmup.WarmupTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
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

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aServicesConnectionIsOpenedAndKept(boolean reactive) {
		WarmupTask task = task(reactive, this.factory);
		for (int run = 0; run < 2; run++) {
			StepVerifier.create(task.run()).expectComplete().verify(PATIENCE);
			assertThat(this.redis.commands()).endsWith("PING");
			assertThat(this.redis.connections()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void withoutItsServerATaskFailsAndTheOthersConnectionsAreOpened(boolean reactive) {
		LettuceConnectionFactory nowhere = new LettuceConnectionFactory("localhost", 1);
		nowhere.afterPropertiesSet();
		nowhere.start();
		StepVerifier.create(task(reactive, nowhere, this.factory).run())
			.expectError(RedisConnectionFailureException.class)
			.verify(PATIENCE);
		assertThat(this.redis.connections()).isEqualTo(1);
		nowhere.destroy();
	}

	private static WarmupTask task(boolean reactive, LettuceConnectionFactory... factories) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		for (int i = 0; i < factories.length; i++) {
			beans.registerSingleton("redis-" + i, factories[i]);
		}
		return reactive ? new TaskConfiguration.ReactiveRedisConfiguration().warmupRedisTask(beans)
				: new TaskConfiguration.RedisConfiguration().warmupRedisTask(beans);
	}

}
