package dev.warmup.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;

/**
 * Adds the metadata and the initial status to what Eureka's client registers, also after
 * a refresh, and lets the {@link EurekaGate} decide ahead of Eureka's health check.
 */
final class EurekaPostProcessor implements BeanPostProcessor {

	private final ObjectProvider<MetadataPublisher> metadata;

	private final ObjectProvider<EurekaGate> gate;

	/** There is no gate in an application that may be UP at once. */
	EurekaPostProcessor(ObjectProvider<MetadataPublisher> metadata, ObjectProvider<EurekaGate> gate) {
		this.metadata = metadata;
		this.gate = gate;
	}

	/** After properties were bound, by a post-processor of higher precedence. */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof EurekaInstanceConfigBean config) {
			Map<String, String> all = new LinkedHashMap<>(config.getMetadataMap());
			all.putAll(this.metadata.getObject().metadata());
			config.setMetadataMap(all);
			this.gate.ifAvailable((each) -> each.prepare(config));
		}
		return bean;
	}

	/** A proxy, since a handler may be a lifecycle, and be injected by its class. */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof HealthCheckHandler)
				? Optional.ofNullable(this.gate.getIfAvailable()).map((each) -> proxy(bean, each)).orElse(bean) : bean;
	}

	private static Object proxy(Object handler, EurekaGate gate) {
		ProxyFactory factory = new ProxyFactory(handler);
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) (call) -> {
			if (call.getMethod().getName().equals("getStatus") && call.getArguments().length == 1
					&& call.getArguments()[0] instanceof InstanceStatus) {
				if (gate.isClosing()) {
					return null; // leaves the status DOWN
				}
				if (gate.isHolding()) {
					return InstanceStatus.STARTING;
				}
			}
			return call.proceed();
		});
		ClassLoader loader = handler.getClass().getClassLoader();
		try {
			return factory.getProxy(loader);
		}
		catch (AopConfigException ex) { // final, or with private constructors only
			factory.setProxyTargetClass(false);
			return factory.getProxy(loader);
		}
	}

}
