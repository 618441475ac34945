package dev.warmup.task;

import java.time.Duration;

import dev.warmup.WarmupTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A real client over real connections to a peer that speaks its protocol. */
class RedisTaskTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
		WarmupTask task = task(reactive);
		for (int run = 0; run < 2; run++) {
			StepVerifier.create(task.run()).expectComplete().verify(TIMEOUT);
			assertThat(this.redis.commands()).endsWith("PING");
			assertThat(this.redis.connections()).isEqualTo(1);
		}
	}

	private WarmupTask task(boolean reactive) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("redis", this.factory);
		return reactive ? new TaskConfiguration.ReactiveRedisConfiguration().warmupRedisTask(beans)
				: new TaskConfiguration.RedisConfiguration().warmupRedisTask(beans);
	}

}
