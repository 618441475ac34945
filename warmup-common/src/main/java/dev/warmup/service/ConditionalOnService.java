package dev.warmup.service;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/**
 * Matches in a web application that is not a {@linkplain ConditionalOnGateway gateway},
 * unless {@code warmup.enabled=false}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@ConditionalOnWebApplication
@Conditional(ConditionalOnService.NoGatewayCondition.class)
public @interface ConditionalOnService {

	/** Whether the gateway's own auto-configuration is not in force. */
	class NoGatewayCondition extends NoneNestedConditions {

		NoGatewayCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(ConditionalOnGateway.GatewayCondition.class)
		static class Gateway {

		}

	}

}
