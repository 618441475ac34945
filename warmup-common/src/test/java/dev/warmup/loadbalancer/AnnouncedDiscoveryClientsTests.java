package dev.warmup.loadbalancer;

import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AnnouncedDiscoveryClientsTests {

	private static final ServiceInstance A = new DefaultServiceInstance("a", "chat", "localhost", 8081, false);

	private static final ServiceInstance B = new DefaultServiceInstance("b", "chat", "localhost", 8082, false);

	private final AnnouncedInstances announced = new AnnouncedInstances(new MutableClock(), (instance) -> false);

	@Test
	void blockingRegistryIsCorrectedAtEachCall() {
		DiscoveryClient registry = Mockito.mock(DiscoveryClient.class);
		Mockito.when(registry.getInstances("chat")).thenReturn(List.of(A));
		Mockito.when(registry.getServices()).thenReturn(List.of("chat"));
		Mockito.when(registry.description()).thenReturn("a registry");
		DiscoveryClient client = AnnouncedDiscoveryClients.of(registry, this.announced);
		assertThat(client.getInstances("chat")).containsExactly(A);
		this.announced.opened(B);
		this.announced.leaving("a", Optional.empty());
		assertThat(client.getInstances("chat")).extracting(ServiceInstance::getInstanceId).containsExactly("b");
		assertThat(client.getServices()).containsExactly("chat");
		assertThat(client.description()).isEqualTo("a registry");
	}

}
