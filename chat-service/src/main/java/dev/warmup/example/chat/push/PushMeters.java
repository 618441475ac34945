package dev.warmup.example.chat.push;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what became of each notification. */
final class PushMeters {

	private final Counter sent;

	private final Counter failed;

	private final Counter dropped;

	PushMeters(MeterRegistry registry) {
		this.sent = counter(registry, "sent");
		this.failed = counter(registry, "failed");
		this.dropped = counter(registry, "dropped");
	}

	private static Counter counter(MeterRegistry registry, String outcome) {
		return Counter.builder("chat.push")
			.description("Push notifications: sent, failed at the push service, or dropped because too many waited")
			.baseUnit("notifications")
			.tag("outcome", outcome)
			.register(registry);
	}

	void sent() {
		this.sent.increment();
	}

	void failed() {
		this.failed.increment();
	}

	void dropped() {
		this.dropped.increment();
	}

}
