package dev.warmup.example.chat.message;

import java.net.URI;
import java.time.Duration;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the push notifications. Bound only where {@code chat.push.url} is set.
 *
 * @param url where notifications are posted to
 * @param timeout the limit for one notification, including the query for its recipients
 * @param concurrency the maximum number of notifications in flight
 * @param queueCapacity the maximum number of waiting notifications; more are dropped
 * @param drain how long shutdown waits for notifications in flight and waiting
 */
@Validated
@ConfigurationProperties("chat.push")
record PushProperties(@NotNull URI url, @DefaultValue("2s") @DurationMin(millis = 1) Duration timeout,
		@DefaultValue("4") @Min(1) int concurrency, @DefaultValue("1000") @Min(1) int queueCapacity,
		@DefaultValue("5s") @DurationMin Duration drain) {
}
