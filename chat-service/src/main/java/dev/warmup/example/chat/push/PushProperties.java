package dev.warmup.example.chat.push;

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
 * @param url where each notification is posted to; pushing is off without it
 * @param timeout how long one notification may take, from the look-up of the members to
 * the answer
 * @param concurrency how many notifications are under way at once
 * @param queueCapacity how many more may wait; those beyond are dropped and counted
 * @param drain how long a stopping service waits for those under way and waiting; zero
 * drops them
 */
@Validated
@ConfigurationProperties("chat.push")
record PushProperties(@NotNull URI url, @DefaultValue("2s") @DurationMin(millis = 1) Duration timeout,
		@DefaultValue("4") @Min(1) int concurrency, @DefaultValue("1000") @Min(1) int queueCapacity,
		@DefaultValue("5s") @DurationMin Duration drain) {
}
