package dev.warmup;

import java.util.concurrent.Executor;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** Consumers start with the gate, by the recipe of the guide, also where that is off. */
class ConsumersTests {

	@ParameterizedTest
	@ValueSource(strings = { "warmup.enabled=true", "warmup.gate.enabled=false", "warmup.enabled=false" })
	void consumersStartWhenTheGateOpensAndNeverStayStoppedWhereItIsOff(String property) {
		try (RunningApplication service = RunningApplication.service(Application.class, WebApplicationType.REACTIVE,
				property)) {
			RunningApplication.await(() -> service.bean(Listeners.class).isRunning());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = "warmup.gate.on-failure=closed")
	void consumersWaitWhileTheGateIsClosed(String property) {
		try (RunningApplication service = RunningApplication.withoutRuns(Application.class, WebApplicationType.SERVLET,
				property)) {
			assertThat(service.bean(Listeners.class).isRunning()).isFalse();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Listeners.class, Consumers.class })
	static class Application {

	}

	/** As the registry of Kafka's or Rabbit's listeners. */
	static class Listeners implements SmartLifecycle {

		private volatile boolean running;

		@Override
		public boolean isAutoStartup() {
			return false;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	/** As in the guide. */
	record Consumers(Listeners listeners, @Qualifier("applicationTaskExecutor") Executor executor) {

		@EventListener(GateOpened.class)
		void start() {
			this.executor.execute(this.listeners::start);
		}

	}

}
