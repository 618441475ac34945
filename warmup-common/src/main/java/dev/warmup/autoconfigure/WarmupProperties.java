package dev.warmup.autoconfigure;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;

import dev.warmup.protocol.Gate.Position;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Settings of the warm-up.
 *
 * @param enabled whether this application warms itself, and a gateway verifies warm-up
 * @param catalog where the request catalog is, as a Spring resource location; a file is
 * read again before each run. Without a file at the default location nothing is warmed
 * @param gateway the gateways that runs go through
 * @param startup the run at the start of the application, and the size of all runs
 * @param steady what counts as warm
 * @param cpu how much of the processors a run may take
 * @param idle the run after a time without users
 * @param gate when users may come
 * @param ramp how users come to an instance that is not steady yet
 * @param admission how much warm-up a gateway lets through
 * @param marks how a service treats the marks that other services pass on
 * @param token the secret that proves warm-up where there is no discovery to publish a
 * key in, the same in services and gateways: at least 32 bytes
 */
@ConfigurationProperties("warmup")
record WarmupProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue(WarmupProperties.DEFAULT_CATALOG) String catalog, @DefaultValue Gateway gateway,
		@DefaultValue Startup startup, @DefaultValue Steady steady, @DefaultValue Cpu cpu, @DefaultValue Idle idle,
		@DefaultValue Gate gate, @DefaultValue Ramp ramp, @DefaultValue Admission admission, @DefaultValue Marks marks,
		@Nullable String token) {

	static final String DEFAULT_CATALOG = "classpath:warmup-requests.yml";

	private static final Duration LONGEST = Duration.ofDays(365);

	public WarmupProperties {
		if (token != null) {
			try {
				WarmupKey.shared(token, Clock.systemUTC());
			}
			catch (IllegalArgumentException ex) {
				throw invalid("token", "(hidden)", String.valueOf(ex.getMessage()));
			}
		}
	}

	/**
	 * The gateways that runs go through.
	 *
	 * @param serviceId the gateway's name in discovery; a run goes through up to three of
	 * its instances
	 * @param url the gateway's address, instead of discovery
	 */
	public record Gateway(@DefaultValue("gateway") String serviceId, @Nullable URI url) {

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
	 * @param budget how long a run may wait for its gateways, and then how long it may
	 * send requests before the gate opens; on a gateway, how long it may be warmed before
	 * it is ready
	 * @param deadline the time after which the gate opens, whatever the run waits for,
	 * unless a failure is to keep it closed
	 * @param concurrency how many scenarios are replayed in parallel at most: a run
	 * begins with one, and adds another every five rounds
	 * @param minRepetitions how often a scenario of average weight is repeated at least
	 * through each gateway, within the budget
	 * @param maxRepetitions how often a scenario of average weight is repeated at most,
	 * if it is not steady before; below steady.window, no run ends warm
	 * @param trigger which scenarios the startup run replays: startup, or train while a
	 * cache of the JVM is trained
	 */
	public record Startup(@DefaultValue("30s") Duration budget, @DefaultValue("120s") Duration deadline,
			@DefaultValue("1") int concurrency, @DefaultValue("20") int minRepetitions,
			@DefaultValue("5000") int maxRepetitions, @DefaultValue("startup") Trigger trigger) {

		public Startup {
			requirePositive("startup.budget", budget);
			requirePositive("startup.deadline", deadline);
			require(concurrency >= 1 && concurrency <= 500, "startup.concurrency", concurrency,
					"It must be from 1 to 500.");
			require(minRepetitions >= 1, "startup.min-repetitions", minRepetitions, "It must be at least 1.");
			require(maxRepetitions >= minRepetitions, "startup.max-repetitions", maxRepetitions,
					"It must be at least min-repetitions, which is %d.".formatted(minRepetitions));
			require(trigger == Trigger.STARTUP || trigger == Trigger.TRAIN, "startup.trigger",
					trigger.name().toLowerCase(Locale.ROOT), "It must be startup or train.");
		}

	}

	/**
	 * When the latency of a request counts as steady.
	 *
	 * @param tolerance by how much, as a share, a request's latency may still fall over
	 * the window
	 * @param window how many of the last answers of each request are considered; at least
	 * 5
	 */
	public record Steady(@DefaultValue("0.1") double tolerance, @DefaultValue("100") int window) {

		public Steady {
			require(tolerance > 0, "steady.tolerance", tolerance, "It must be above 0, such as 0.1.");
			require(window >= 5, "steady.window", window, "It must be at least 5.");
		}

	}

	/**
	 * How much of the processors a run may take.
	 *
	 * @param maxShare the share of the processors that its JVM sees that this application
	 * may take while it is warmed, above 0 and up to 1; a run waits for what it took
	 * beyond that
	 */
	public record Cpu(@DefaultValue("1") double maxShare) {

		public Cpu {
			require(maxShare > 0 && maxShare <= 1, "cpu.max-share", maxShare,
					"It must be a share above 0 and up to 1.");
		}

	}

	/**
	 * The run after a time without users.
	 *
	 * @param after the time without a user request and without a run after which the
	 * instance is warmed again; 0 means never
	 * @param checkEvery how often the idle time is checked: this, or a quarter of after
	 * if that is less
	 * @param jitter by how much longer, as a share of after from 0 to 1, an instance
	 * waits at random, so that a fleet does not run all at once
	 */
	public record Idle(@DefaultValue("30m") Duration after, @DefaultValue("1m") Duration checkEvery,
			@DefaultValue("0.1") double jitter) {

		public Idle {
			requireDuration("idle.after", after, "0 means never");
			requirePositive("idle.check-every", checkEvery);
			require(checkEvery.toMillis() > 0, "idle.check-every", checkEvery, "It must be at least 1ms.");
			require(jitter >= 0 && jitter <= 1, "idle.jitter", jitter, "It must be a share from 0 to 1.");
		}

	}

	/**
	 * When users may come.
	 *
	 * @param enabled whether users are kept away until the first run opens the gate; on a
	 * gateway, until it was warmed
	 * @param openAfter after how long the gate opens at the latest, if another instance
	 * of the service takes its full share of users; if none does, and this JVM started
	 * from an AOT cache, after how long at the earliest
	 * @param onFailure the gate of a service after a run that did not end warm: open, or
	 * closed until a later run ends warm
	 */
	public record Gate(@DefaultValue("true") boolean enabled, @DefaultValue("10s") Duration openAfter,
			@DefaultValue("open") Position onFailure) {

		public Gate {
			requireDuration("gate.open-after", openAfter, "0 means once a request was answered");
		}

	}

	/**
	 * How users come to an instance whose gate opened before its startup run ended.
	 *
	 * @param window how long a run that was not steady when the gate opened may continue,
	 * in gaps between users' requests (or after a second without a gap), and after how
	 * long gateways treat the instance like any other; set it on both sides; 0 means that
	 * the gate opens when the run ends
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
	 * flight at a gateway, beyond which it answers 429; by default the number of its
	 * processors, and at least 2
	 */
	public record Admission(@Nullable Integer maxConcurrent) {

		public Admission {
			require(maxConcurrent == null || maxConcurrent >= 1, "admission.max-concurrent", maxConcurrent,
					"It must be at least 1.");
		}

		int limit() {
			return (this.maxConcurrent != null) ? this.maxConcurrent
					: Math.max(2, Runtime.getRuntime().availableProcessors());
		}

	}

	/**
	 * How a service treats marks, by which another service declares that a call is made
	 * for a warm-up request.
	 *
	 * @param unsigned what is done with unsigned marks, which anyone can write
	 */
	public record Marks(@DefaultValue("ignore") Unsigned unsigned) {

		/** What is done with unsigned marks. */
		public enum Unsigned {

			/** The call is treated as a user's. */
			IGNORE,

			/** The call is treated as warm-up. */
			ACCEPT

		}

	}

	/** Without the token, which must not reach a log. */
	@Override
	public String toString() {
		return "WarmupProperties[enabled=" + this.enabled + ", catalog=" + this.catalog + ", gateway=" + this.gateway
				+ ", startup=" + this.startup + ", steady=" + this.steady + ", cpu=" + this.cpu + ", idle=" + this.idle
				+ ", gate=" + this.gate + ", ramp=" + this.ramp + ", admission=" + this.admission + ", marks="
				+ this.marks + "]";
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
			throw invalid(name, value, reason);
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException("warmup." + name, value, reason);
	}

}
