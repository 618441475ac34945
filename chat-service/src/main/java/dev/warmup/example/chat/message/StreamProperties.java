package dev.warmup.example.chat.message;

import java.time.Duration;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the live streams.
 *
 * @param heartbeat how often a stream looks for messages that were posted at another
 * instance, and sends a comment when there are none, which keeps proxies from cutting it
 * @param page how many messages of a stream are held in memory at most
 */
@Validated
@ConfigurationProperties("chat.stream")
record StreamProperties(@DefaultValue("10s") @DurationMin(millis = 100) Duration heartbeat,
		@DefaultValue("100") @Min(1) @Max(1000) int page) {
}
