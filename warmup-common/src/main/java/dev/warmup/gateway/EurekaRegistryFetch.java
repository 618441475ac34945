package dev.warmup.gateway;

import java.util.Optional;
import java.util.function.Supplier;

import com.netflix.discovery.DiscoveryClient;
import com.netflix.discovery.EurekaClient;

import org.springframework.aop.support.AopUtils;
import org.springframework.cloud.util.ProxyUtils;

/**
 * Asks Eureka's client, which answers that there are no services until it has fetched the
 * registry for the first time.
 */
public final class EurekaRegistryFetch implements RegistryFetch {

	private final Supplier<Optional<EurekaClient>> client;

	/**
	 * Creates the question.
	 * @param client the client, if Eureka is in use; a proxy is seen through
	 */
	public EurekaRegistryFetch(Supplier<Optional<EurekaClient>> client) {
		this.client = client;
	}

	@Override
	public boolean hasHappened() {
		return this.client.get()
			.map((found) -> AopUtils.isAopProxy(found) ? ProxyUtils.<EurekaClient>getTargetObject(found) : found)
			.filter(DiscoveryClient.class::isInstance)
			.map(DiscoveryClient.class::cast)
			.filter((found) -> found.getEurekaClientConfig().shouldFetchRegistry())
			.map((found) -> found.getLastSuccessfulRegistryFetchTimePeriod() >= 0)
			.orElse(true);
	}

}
