package dev.warmup.autoconfigure;

import dev.warmup.insight.InsightConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what runs and users show besides
 * latency. In a service: the compiler, the AOT cache, and connection pools. In a gateway:
 * what the first users met, and what users send that runs do not.
 */
@AutoConfiguration(after = { WarmupRunAutoConfiguration.class, WarmupGatewayAutoConfiguration.class })
@Import(InsightConfiguration.class)
public final class WarmupInsightAutoConfiguration {

}
