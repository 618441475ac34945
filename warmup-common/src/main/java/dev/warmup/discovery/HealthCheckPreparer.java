package dev.warmup.discovery;

import java.lang.reflect.Modifier;
import java.util.function.Supplier;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Has Eureka's health check say STARTING as long as users are kept away, and nothing once
 * the application goes down, so that DOWN stays; at any other time it decides itself.
 */
public final class HealthCheckPreparer implements BeanPostProcessor {

	private final Supplier<EurekaGate> gate;

	/**
	 * Creates the post-processor.
	 * @param gate tells when users are kept away; asked for when it is needed
	 */
	public HealthCheckPreparer(Supplier<EurekaGate> gate) {
		this.gate = gate;
	}

	/** A proxy, since the handler may be a lifecycle, and be asked for by its class. */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof HealthCheckHandler)) {
			return bean;
		}
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
		factory.addAdvice((MethodInterceptor) this::intercept);
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	private @Nullable Object intercept(MethodInvocation call) throws Throwable {
		return call.getMethod().getName().equals("getStatus") && call.getArguments().length == 1
				&& call.getArguments()[0] instanceof InstanceStatus ? status(call) : call.proceed();
	}

	private @Nullable Object status(MethodInvocation call) throws Throwable {
		EurekaGate decided = this.gate.get();
		if (decided.isClosing()) {
			return null;
		}
		return decided.isHolding() ? InstanceStatus.STARTING : call.proceed();
	}

}
