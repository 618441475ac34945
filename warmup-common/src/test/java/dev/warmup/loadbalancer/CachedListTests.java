package dev.warmup.loadbalancer;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.warmup.RunningApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A real gateway whose load balancer caches lists for long. */
@Tag("full")
@Timeout(180)
class CachedListTests {

	private static Stub a;

	private static Stub b;

	private static Stub c;

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		a = Stub.named("a");
		b = Stub.named("b");
		c = Stub.named("c");
		gateway = PinningGateway.start(PinningGateway.class, "spring.cloud.loadbalancer.cache.enabled=true",
				"spring.cloud.loadbalancer.cache.ttl=1h");
	}

	@AfterAll
	static void stop() {
		gateway.close();
		a.close();
		b.close();
		c.close();
	}

	@Test
	void cachedListIsEvictedByAnAnnouncement() {
		Registry registry = gateway.bean(Registry.class);
		RoutableInstances routable = gateway.bean(RoutableInstances.class);
		registry.list("opened", a.of("opened"));
		assertThat(users("opened")).containsExactly("a");
		int lookups = registry.lookups();
		registry.list("opened", a.of("opened"), b.of("opened"));
		assertThat(users("opened")).containsExactly("a");
		assertThat(registry.lookups()).as("the list is cached").isEqualTo(lookups);

		registry.list("opened", a.of("opened"));
		routable.opened(b.of("opened"));
		assertThat(users("opened")).containsExactly("a", "b");
		routable.leaving("a", Optional.empty());
		assertThat(users("opened")).containsExactly("b");
	}

	private static Set<String> users(String service) {
		Set<String> answered = new TreeSet<>();
		for (int i = 0; i < 20; i++) {
			answered.add(gateway.get("/" + service + "/x").body());
		}
		return answered;
	}

}
