package dev.warmup.bench.growth;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.warmup.registry.InstanceMetadata;
import dev.warmup.traffic.WarmupClaim;
import dev.warmup.traffic.WarmupToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * An instance that nobody runs, as it stands in the registry.
 *
 * @param service its service
 * @param id its name in discovery
 * @param port where it is said to listen, at the loopback address
 * @param token proves its warm-up
 */
record SimulatedInstance(String service, String id, int port, WarmupToken token) {

	/** Nobody renews it while a scenario lasts. */
	private static final Duration LEASE = Duration.ofHours(1);

	private static final JsonMapper JSON = JsonMapper.shared();

	/** The body of {@code POST /eureka/apps/{service}}, which registers it as UP. */
	String registration() {
		String host = "127.0.0.1";
		return JSON.writeValueAsString(Map.of("instance", Map.ofEntries(Map.entry("instanceId", this.id),
				Map.entry("hostName", host), Map.entry("ipAddr", host),
				Map.entry("app", this.service.toUpperCase(Locale.ROOT)), Map.entry("vipAddress", this.service),
				Map.entry("status", "UP"), Map.entry("port", Map.of("$", this.port, "@enabled", "true")),
				Map.entry("dataCenterInfo",
						Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn")),
				Map.entry("leaseInfo",
						Map.of("renewalIntervalInSecs", LEASE.toSeconds(), "durationInSecs", LEASE.toSeconds())),
				Map.entry("metadata", InstanceMetadata.of(this.token, "").entries()))));
	}

	/** The header by which it proves that a request is its own. */
	String claim(String run) {
		return new WarmupClaim(this.id, Optional.of(this.token.value()), run).format();
	}

}
