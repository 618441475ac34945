package dev.warmup.service;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Trigger;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * All settings of the warm-up. Auto-configurations read them, and hand plain values on.
 *
 * @param enabled whether this application warms itself, and a gateway pins warm-up
 * @param catalog where the request catalog is, as a Spring resource location; a file is
 * read again before a run when it has changed. Without a file at the default location
 * nothing is warmed; {@code suggested} replays what a service can be asked without any
 * value, for a first try
 * @param secret where there is no registry: what instances sign their announcements with,
 * the same in services and gateways, with 32 bytes at least
 * @param instance this instance, where there is no registry
 * @param gateway the gateways that runs go through
 * @param startup the run at the start of the application, and the size of all runs
 * @param steady what counts as steady
 * @param idle the run after a time without users
 * @param gate when users may come
 * @param ramp how a gateway's users come to an instance that has just opened its gate
 * @param admission how much warm-up a gateway lets through
 */
@ConfigurationProperties("warmup")
public record WarmupProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue(WarmupProperties.DEFAULT_CATALOG) String catalog, @Nullable String secret,
		@DefaultValue Instance instance, @DefaultValue Gateway gateway, @DefaultValue Startup startup,
		@DefaultValue Steady steady, @DefaultValue Idle idle, @DefaultValue Gate gate, @DefaultValue Ramp ramp,
		@DefaultValue Admission admission) {

	/** Where the catalog is unless configured. */
	public static final String DEFAULT_CATALOG = "classpath:warmup-requests.yml";

	private static final Duration LONGEST = Duration.ofDays(365);

	/**
	 * The secret, for announcements.
	 * @throws IllegalStateException if it has fewer than 32 bytes in UTF-8; where it is
	 * bound, Spring Boot would log the value
	 */
	public Token.Secret sharedSecret() {
		byte[] bits = String.valueOf(this.secret).getBytes(StandardCharsets.UTF_8);
		if (bits.length < 32) {
			throw new IllegalStateException("warmup.secret is too short: give services and gateways the same 32 bytes "
					+ "or more, such as from: openssl rand -base64 32");
		}
		return new Token.Secret(bits);
	}

	/** Without values: the secret must not reach a log. */
	@Override
	public String toString() {
		return "WarmupProperties(hidden)";
	}

	/**
	 * This instance, where there is no registry.
	 *
	 * @param address the IP address that it announces; by default the one from which it
	 * connects to a gateway
	 */
	public record Instance(@Nullable InetAddress address) {

	}

	/**
	 * The gateways that runs go through.
	 *
	 * @param serviceId the only service whose instances are gateways for this one;
	 * without it, every gateway with the library that discovery has
	 * @param url the gateway's address, where there is no discovery; with a secret, its
	 * host is resolved to all gateways
	 */
	public record Gateway(@Nullable String serviceId, @Nullable URI url) {

		public Gateway {
			require(url == null || !String.valueOf(url.getRawAuthority()).contains("@"), "gateway.url",
					"a URL with a login",
					"It is logged, so it must contain no login: put that into the catalog's headers.");
			require(url == null
					|| (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))),
					"gateway.url", url,
					"It must be an absolute http or https URL, and its host must have no underscore.");
		}

	}

	/**
	 * The startup run, and the size of all runs.
	 *
	 * @param budget how long a run sends requests from the first answer until the gate
	 * opens, unless all requests are steady before
	 * @param deadline how long after the application is ready the gate opens at the
	 * latest, and the longest time that any run takes
	 * @param minRepetitions how often each request must be answered as expected
	 * @param trigger which scenarios the startup run replays: startup, or train while a
	 * cache of the JVM is trained
	 */
	public record Startup(@DefaultValue("10s") Duration budget, @DefaultValue("120s") Duration deadline,
			@DefaultValue("10") int minRepetitions, @DefaultValue("startup") Trigger trigger) {

		public Startup {
			requirePositive("startup.budget", budget);
			requirePositive("startup.deadline", deadline);
			require(minRepetitions >= 1, "startup.min-repetitions", minRepetitions, "It must be at least 1.");
			require(trigger == Trigger.STARTUP || trigger == Trigger.TRAIN, "startup.trigger",
					trigger.name().toLowerCase(Locale.ROOT), "It must be startup or train.");
		}

	}

	/**
	 * When the latency of a request counts as steady.
	 *
	 * @param tolerance by how much, as a share, the median may still fall over the window
	 * @param window how many of the last answers of each request are considered, or those
	 * of the last three seconds where these are more; at least 5
	 */
	public record Steady(@DefaultValue("0.1") double tolerance, @DefaultValue("100") int window) {

		public Steady {
			require(tolerance > 0, "steady.tolerance", tolerance, "It must be above 0, such as 0.1.");
			require(window >= 5, "steady.window", window, "It must be at least 5.");
		}

	}

	/**
	 * The run after a time without users.
	 *
	 * @param after the time without a user request and without a run after which the
	 * instance is warmed again; 0 means never
	 * @param jitter by how much longer, as a share of after from 0 to 1, an instance
	 * waits at random, so that a fleet does not run all at once
	 */
	public record Idle(@DefaultValue("30m") Duration after, @DefaultValue("0.1") double jitter) {

		public Idle {
			requireDuration("idle.after", after, "0 means never");
			require(jitter >= 0 && jitter <= 1, "idle.jitter", jitter, "It must be a share from 0 to 1.");
		}

		/** The time to wait, jitter included, drawn anew at each call; 0 means never. */
		public Duration withJitter() {
			double share = this.jitter * ThreadLocalRandom.current().nextDouble();
			return this.after.plusNanos((long) (this.after.toNanos() * share));
		}

	}

	/**
	 * When users may come.
	 *
	 * @param enabled whether users are kept away until the first run opens the gate; on a
	 * gateway, until it was warmed
	 * @param onFailure the gate after a run that did not end warm, and at the deadline:
	 * open, or closed until a run ends warm
	 */
	public record Gate(@DefaultValue("true") boolean enabled, @DefaultValue("open") GatePosition onFailure) {

	}

	/**
	 * How a gateway's users come to an instance that has just opened its gate.
	 *
	 * @param window over which its share grows from 10 % of a full member's to the whole,
	 * while others serve; 0 means at once
	 */
	public record Ramp(@DefaultValue("60s") Duration window) {

		public Ramp {
			requireDuration("ramp.window", window, "0 means no ramp");
		}

	}

	/**
	 * How much warm-up a gateway lets through.
	 *
	 * @param maxConcurrent how many warm-up requests of all instances together may be in
	 * flight at a gateway; by default the number of its processors, and at least 2
	 */
	public record Admission(@Nullable Integer maxConcurrent) {

		public Admission {
			require(maxConcurrent == null || maxConcurrent >= 1, "admission.max-concurrent", maxConcurrent,
					"It must be at least 1.");
		}

		/** How many warm-up requests may be in flight. */
		public int limit() {
			return (this.maxConcurrent != null) ? this.maxConcurrent
					: Math.max(2, Runtime.getRuntime().availableProcessors());
		}

	}

	/** Beyond the limit, what is computed from durations could overflow. */
	private static void requirePositive(String name, Duration duration) {
		require(!duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0, name, duration,
				"It must be longer than zero, and 365 days at most.");
	}

	private static void requireDuration(String name, Duration duration, String zero) {
		require(!duration.isNegative() && duration.compareTo(LONGEST) <= 0, name, duration,
				"It must be from 0 to 365 days; " + zero + ".");
	}

	private static void require(boolean condition, String name, @Nullable Object value, String reason) {
		if (!condition) {
			throw new InvalidConfigurationPropertyValueException("warmup." + name, value, reason);
		}
	}

}
