package dev.warmup.discovery;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.WarmupToken;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class MetadataPublisherTests {

	private static final WarmupToken TOKEN = WarmupToken.random();

	private static final InstanceMetadata METADATA = InstanceMetadata.of(TOKEN, "/chat");

	@Test
	void metadataIsPutBesideTheApplicationsOwn() {
		Map<String, String> map = new HashMap<>(Map.of("zone", "a"));
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			publish(map, false);
			assertThat(map).containsOnly(Map.entry("zone", "a"), Map.entry("warmup-base-path", "/chat"),
					Map.entry("warmup-token-sha256", TOKEN.sha256()));
			assertThat(log.lines()).isEmpty();
		}
	}

	@Test
	void registryThatTakesNoneIsToldOfOnceWithTheWayOut() {
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			MetadataPublisher publisher = publish(Map.of(), false);
			publisher.onApplicationEvent(event(Map.of()));
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("WARN")
				.contains("cannot verify", "warmup.token")
				.doesNotContain(TOKEN.value());
		}
	}

	@Test
	void registryWithoutMetadataIsToldOf() {
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			publish(null, false);
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void registryThatHandsOutCopiesIsToldOf() {
		Registration registration = mock(Registration.class);
		given(registration.getMetadata()).willAnswer((call) -> new HashMap<>());
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			new MetadataPublisher(METADATA, false)
				.onApplicationEvent(new InstancePreRegisteredEvent(this, registration));
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void nothingIsToldWhereBothSidesWereGivenTheToken() {
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			publish(Map.of(), true);
			assertThat(log.lines()).isEmpty();
		}
	}

	@Test
	void instanceWithoutBasePathPublishesNone() {
		assertThat(new InstanceMetadata("hash", Optional.empty()).entries())
			.containsOnly(Map.entry("warmup-token-sha256", "hash"));
	}

	private MetadataPublisher publish(@Nullable Map<String, String> map, boolean tokenShared) {
		MetadataPublisher publisher = new MetadataPublisher(METADATA, tokenShared);
		publisher.onApplicationEvent(event(map));
		return publisher;
	}

	private InstancePreRegisteredEvent event(@Nullable Map<String, String> map) {
		Registration registration = mock(Registration.class);
		given(registration.getMetadata()).willReturn(map);
		return new InstancePreRegisteredEvent(this, registration);
	}

}
