package dev.warmup.discovery;

import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

class InstanceAddressTests {

	@Test
	void ipv6AddressGetsItsBrackets() {
		ServiceInstance instance = new DefaultServiceInstance("a", "chat", "2001:db8::1", 8443, true, Map.of("k", "v"));
		assertThat(InstanceAddress.uri(instance)).isEqualTo(URI.create("https://[2001:db8::1]:8443"))
			.extracting(URI::getHost)
			.isEqualTo("[2001:db8::1]");
		assertThat(InstanceAddress.bracketed(instance))
			.isEqualTo(new DefaultServiceInstance("a", "chat", "[2001:db8::1]", 8443, true, Map.of("k", "v")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[2001:db8::1]", "10.0.0.1", "localhost", "chat_service" })
	void anyOtherHostStaysAsItIs(String host) {
		ServiceInstance instance = new DefaultServiceInstance("a", "chat", host, 8080, false);
		assertThat(InstanceAddress.bracketed(instance)).isSameAs(instance);
		assertThat(InstanceAddress.uri(instance)).isEqualTo(URI.create("http://" + host + ":8080"));
	}

}
