package dev.warmup.autoconfigure;

import java.net.URI;
import java.time.Duration;

import dev.warmup.run.Gate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Settings of the warm-up.
 *
 * @param enabled whether this application warms itself, and a gateway recognises warm-up
 * @param catalog where the request catalog is, as a Spring resource location; a file is
 * read again before each run. Without a file at the default location nothing is warmed
 * @param gateway the way that runs go
 * @param startup the run at the start of the application, and the size of all runs
 * @param idle the run after a time without users
 * @param gate when GET /.warmup/ready says that users may come
 */
@ConfigurationProperties("warmup")
public record WarmupProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue(WarmupProperties.DEFAULT_CATALOG) String catalog, @DefaultValue Gateway gateway,
		@DefaultValue Startup startup, @DefaultValue Idle idle, @DefaultValue GateSettings gate) {

	static final String DEFAULT_CATALOG = "classpath:warmup-requests.yml";

	/**
	 * Where runs go through.
	 *
	 * @param serviceId the gateway's name in discovery; a run goes through each of its
	 * instances
	 * @param url the gateway's address, instead of discovery
	 */
	public record Gateway(@DefaultValue("gateway") String serviceId, @Nullable URI url) {

		public Gateway {
			if (url != null && (url.getHost() == null
					|| !("http".equals(url.getScheme()) || "https".equals(url.getScheme())))) {
				throw invalid("gateway.url", url, "It must be an absolute http or https URL.");
			}
		}

	}

	/**
	 * The run at start.
	 *
	 * @param budget the time a run may wait for its way through all gateways, and the
	 * time it may send requests once that is found
	 * @param concurrency how many scenarios are replayed side by side
	 * @param minRepetitions how often a scenario of average weight is repeated through
	 * each gateway, within the budget
	 */
	public record Startup(@DefaultValue("60s") Duration budget, @DefaultValue("2") int concurrency,
			@DefaultValue("200") int minRepetitions) {

		public Startup {
			if (budget.isNegative() || budget.isZero()) {
				throw invalid("startup.budget", budget, "It must be longer than zero.");
			}
			if (concurrency < 1) {
				throw invalid("startup.concurrency", concurrency, "It must be at least 1.");
			}
			if (minRepetitions < 1) {
				throw invalid("startup.min-repetitions", minRepetitions, "It must be at least 1.");
			}
		}

	}

	/**
	 * The run after a time without users.
	 *
	 * @param after the time without a user request and without a run after which the
	 * instance is warmed again; 0 means never
	 * @param checkEvery how often that is looked at, or a quarter of after where that is
	 * less
	 * @param jitter the share of after that is waited longer at random, from 0 to 1, so
	 * that a fleet does not run all at once
	 */
	public record Idle(@DefaultValue("30m") Duration after, @DefaultValue("1m") Duration checkEvery,
			@DefaultValue("0.1") double jitter) {

		public Idle {
			if (after.isNegative()) {
				throw invalid("idle.after", after, "It must not be negative; 0 means never.");
			}
			if (checkEvery.isNegative() || checkEvery.isZero()) {
				throw invalid("idle.check-every", checkEvery, "It must be longer than zero.");
			}
			if (!(jitter >= 0 && jitter <= 1)) {
				throw invalid("idle.jitter", jitter, "It must be a share from 0 to 1.");
			}
		}

	}

	/**
	 * When the instance says that users may come.
	 *
	 * @param enabled whether GET /.warmup/ready answers 503 until the first run is over
	 * @param onFailure where a run that did not end warm leaves the gate
	 */
	public record GateSettings(@DefaultValue("true") boolean enabled, @DefaultValue("open") Gate.Position onFailure) {

	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("warmup." + name, value, reason);
	}

}
