package dev.warmup.autoconfigure;

import dev.warmup.web.WebConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of filters: the answer to a startup
 * probe, everywhere and also when warming is off; in services the filter that separates
 * warm-up from users, the answer to a gateway that asks for a run, and the mark that
 * calls to other services carry.
 */
@AutoConfiguration(after = { WarmupRunAutoConfiguration.class, WarmupGatewayAutoConfiguration.class })
@Import(WebConfiguration.class)
public final class WarmupWebAutoConfiguration {

	@Bean
	WebConfiguration.Settings warmupWebSettings(WarmupProperties properties) {
		return new WebConfiguration.Settings(properties.marks().unsigned() == WarmupProperties.Marks.Unsigned.ACCEPT);
	}

}
