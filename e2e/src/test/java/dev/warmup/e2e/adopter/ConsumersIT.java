package dev.warmup.e2e.adopter;

import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.warmup.GateOpened;
import dev.warmup.service.Gate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;

/** Message consumers start with the gate, by the recipe of the guide. */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
class ConsumersIT {

	private static final Duration SOON = Duration.ofSeconds(90);

	private static final int MESSAGES = 100;

	@Test
	void messagesWaitForTheGateAndAreAllConsumedAfterIt() {
		try (RunningApplication service = RunningApplication.consumer(Application.class,
				"spring.application.name=orders", "eureka.client.enabled=false", "spring.artemis.mode=embedded",
				"spring.artemis.embedded.queues=orders", "spring.jms.listener.auto-startup=false",
				"warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml",
				"warmup.gateway.url=http://localhost:1", "warmup.gate.on-failure=closed")) {
			JmsTemplate queue = service.bean(JmsTemplate.class);
			Shipments shipments = service.bean(Shipments.class);
			IntStream.range(0, MESSAGES / 2).forEach((i) -> queue.convertAndSend("orders", "order " + i));
			assertThat(service.get("/.warmup/ready").status()).isEqualTo(503);
			assertThat(waiting(queue)).isEqualTo(MESSAGES / 2);
			service.bean(Gate.class).open();
			IntStream.range(MESSAGES / 2, MESSAGES).forEach((i) -> queue.convertAndSend("orders", "order " + i));
			Awaitility.await().atMost(SOON).until(() -> shipments.gateOpen.size() == MESSAGES);
			assertThat(shipments.gateOpen).doesNotContain(false);
			assertThat(waiting(queue)).isZero();
		}
	}

	/** How many messages nobody has consumed. */
	private static int waiting(JmsTemplate queue) {
		Integer waiting = queue.browse("orders",
				(session, browser) -> Collections.list((Enumeration<?>) browser.getEnumeration()).size());
		return Objects.requireNonNull(waiting);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Consumers.class, Shipments.class })
	static class Application {

	}

	/** As in the guide. */
	@Component
	record Consumers(JmsListenerEndpointRegistry listeners, @Qualifier("applicationTaskExecutor") Executor executor) {

		@EventListener(GateOpened.class)
		void start() {
			this.executor.execute(() -> this.listeners.getListenerContainers().forEach(Lifecycle::start));
		}

	}

	static class Shipments {

		/** Whether users might come, too, at each message. */
		private final List<Boolean> gateOpen = new CopyOnWriteArrayList<>();

		private final Gate gate;

		Shipments(Gate gate) {
			this.gate = gate;
		}

		@JmsListener(destination = "orders")
		void ship(String order) {
			this.gateOpen.add(this.gate.isOpen());
		}

	}

}
