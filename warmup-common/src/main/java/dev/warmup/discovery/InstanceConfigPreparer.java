package dev.warmup.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;

/**
 * Completes what the application says of its instance before Eureka's client sees it, and
 * again each time the properties are bound anew.
 */
public final class InstanceConfigPreparer implements BeanPostProcessor {

	private final Supplier<InstanceMetadata> metadata;

	private final Supplier<Stream<EurekaGate>> gate;

	/**
	 * Creates the post-processor.
	 * @param metadata what to publish, asked for when it is needed
	 * @param gate sets the first status; none in an application that Eureka may announce
	 * at once
	 */
	public InstanceConfigPreparer(Supplier<InstanceMetadata> metadata, Supplier<Stream<EurekaGate>> gate) {
		this.metadata = metadata;
		this.gate = gate;
	}

	/** After the properties were bound, which a post-processor of higher order does. */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof EurekaInstanceConfigBean config) {
			Map<String, String> all = new LinkedHashMap<>(config.getMetadataMap());
			all.putAll(this.metadata.get().entries());
			config.setMetadataMap(all);
			this.gate.get().forEach((each) -> each.prepare(config));
		}
		return bean;
	}

}
