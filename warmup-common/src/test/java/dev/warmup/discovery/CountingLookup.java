package dev.warmup.discovery;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/** A registry in memory that counts the look-ups. */
final class CountingLookup implements InstanceLookup {

	private final Map<String, ServiceInstance> registry = new ConcurrentHashMap<>();

	private final Map<String, ServiceInstance> localCopy = new ConcurrentHashMap<>();

	private final AtomicInteger lookups = new AtomicInteger();

	private final AtomicInteger recent = new AtomicInteger();

	private volatile Mono<Void> before = Mono.empty();

	/** Registers an instance that published a key, as of now. */
	void register(String instanceId, String jwk) {
		this.registry.put(instanceId, instance(instanceId, jwk));
	}

	void unregister(String instanceId) {
		this.registry.remove(instanceId);
	}

	/** Brings the local copy up to date. */
	void fetch() {
		this.localCopy.clear();
		this.localCopy.putAll(this.registry);
	}

	/** Delays each answer until this signal, or fails with it. */
	void answerAfter(Mono<Void> signal) {
		this.before = signal;
	}

	int lookups() {
		return this.lookups.get();
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		return Mono.defer(() -> {
			this.lookups.incrementAndGet();
			return this.before.then(Mono.fromCallable(() -> Optional.ofNullable(this.registry.get(instanceId))));
		});
	}

	int requestsForRecent() {
		return this.recent.get();
	}

	@Override
	public Mono<Map<String, ServiceInstance>> recent() {
		return Mono.fromSupplier(() -> {
			this.recent.incrementAndGet();
			return Map.copyOf(this.registry);
		});
	}

	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		return Optional.ofNullable(this.localCopy.get(instanceId));
	}

	private static ServiceInstance instance(String instanceId, String jwk) {
		DefaultServiceInstance instance = new DefaultServiceInstance(instanceId, "chat", "localhost", 8080, false);
		instance.setUri(URI.create("http://localhost:8080"));
		instance.getMetadata().putAll(new HashMap<>(Map.of(WarmupKey.METADATA_KEY, jwk)));
		return instance;
	}

}
