package dev.warmup.service;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Conditional;

/**
 * Matches in a reactive Spring Cloud Gateway, unless {@code warmup.enabled=false}. An
 * application that has the gateway on its class path and does not use it is a service:
 * one with {@code spring.cloud.gateway.server.webflux.enabled=false}, and every servlet
 * application.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@Conditional(ConditionalOnGateway.GatewayCondition.class)
public @interface ConditionalOnGateway {

	/** Whether the gateway's own auto-configuration is in force. */
	class GatewayCondition extends AllNestedConditions {

		GatewayCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnClass(name = "org.springframework.cloud.gateway.filter.GlobalFilter")
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		@ConditionalOnBooleanProperty(
				name = { "spring.cloud.gateway.enabled", "spring.cloud.gateway.server.webflux.enabled" },
				matchIfMissing = true)
		static class Gateway {

		}

	}

}
