package dev.warmup.gateway;

import java.util.Optional;
import java.util.function.Supplier;

import com.netflix.discovery.DiscoveryClient;
import com.netflix.discovery.EurekaClient;

import org.springframework.aop.support.AopUtils;
import org.springframework.cloud.util.ProxyUtils;

/**
 * Reads from Eureka's client, which lists no services until it has fetched the registry,
 * whether it has.
 */
final class EurekaRegistryFetch implements RegistryFetch {

	private final Supplier<Optional<EurekaClient>> client;

	/**
	 * Creates it.
	 * @param client the client or a proxy of it, if Eureka is in use
	 */
	EurekaRegistryFetch(Supplier<Optional<EurekaClient>> client) {
		this.client = client;
	}

	@Override
	public boolean isDone() {
		return this.client.get()
			.map((found) -> AopUtils.isAopProxy(found) ? ProxyUtils.<EurekaClient>getTargetObject(found) : found)
			.filter(DiscoveryClient.class::isInstance)
			.map(DiscoveryClient.class::cast)
			.filter((found) -> found.getEurekaClientConfig().shouldFetchRegistry())
			.map((found) -> found.getLastSuccessfulRegistryFetchTimePeriod() >= 0)
			.orElse(true);
	}

}
