package dev.warmup.discovery;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.protocol.WarmupKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class MetadataPublisherTests {

	private static final WarmupKey KEY = Claims.key("chat-1");

	private static final WarmupKey SHARED = WarmupKey.shared("0123456789abcdef0123456789abcdef", Clock.systemUTC());

	@Test
	void metadataIsAddedToTheApplicationsOwnWithoutAPathForTheRoot() {
		Map<String, String> ofTheRoot = new HashMap<>();
		published(registration(ofTheRoot), "/", KEY);
		assertThat(ofTheRoot).containsOnlyKeys("warmup-jwk");
		Map<String, String> map = new HashMap<>(Map.of("zone", "a"));
		assertThat(published(registration(map), "/chat", KEY)).isEmpty();
		assertThat(map).containsOnly(Map.entry("zone", "a"), Map.entry("warmup-base-path", "/chat"),
				Map.entry("warmup-jwk", Claims.jwk("chat-1")));
	}

	@ParameterizedTest
	@MethodSource("refusing")
	void registrationThatRefusesMetadataIsReportedOnceUnlessASecretIsShared(Registration registration) {
		assertThat(published(registration, "/chat", KEY)).contains("WARN", "warmup.token")
			.containsOnlyOnce("does not accept metadata");
		assertThat(published(registration, "/chat", SHARED)).isEmpty();
	}

	static Stream<Registration> refusing() {
		Registration copying = mock(Registration.class);
		given(copying.getMetadata()).willAnswer((call) -> new HashMap<>());
		return Stream.of(registration(Map.of()), registration(null), copying);
	}

	private String published(Registration registration, String basePath, WarmupKey key) {
		MetadataPublisher publisher = new MetadataPublisher(key, basePath);
		try (CapturedLog log = CapturedLog.of(MetadataPublisher.class)) {
			publisher.onApplicationEvent(new InstancePreRegisteredEvent(this, registration));
			publisher.onApplicationEvent(new InstancePreRegisteredEvent(this, registration));
			return String.join("\n", log.lines());
		}
	}

	private static Registration registration(@Nullable Map<String, String> metadata) {
		Registration registration = mock(Registration.class);
		given(registration.getMetadata()).willReturn(metadata);
		return registration;
	}

}
