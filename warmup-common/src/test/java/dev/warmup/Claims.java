package dev.warmup;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;

/** Signs claims as instances do, with keys that tests publish in their registries. */
public final class Claims {

	/** The service of the gateways in tests, for whom claims are signed. */
	public static final String GATEWAY = "gateway";

	private static final Map<String, WarmupKey> KEYS = new ConcurrentHashMap<>();

	private Claims() {
	}

	/** The key by this name, the same each time. */
	public static WarmupKey key(String name) {
		return KEYS.computeIfAbsent(name, (key) -> WarmupKey.generate(Clock.systemUTC()));
	}

	/** What an instance with that key publishes. */
	public static String jwk(String name) {
		return key(name).jwk().orElseThrow();
	}

	/** The header of an instance whose key has its own id as a name. */
	public static String of(String instanceId, SignedClaim.Scope scope, String run) {
		return of(instanceId, instanceId, scope, run);
	}

	/** The header of an instance, signed with any key. */
	public static String of(String key, String instanceId, SignedClaim.Scope scope, String run) {
		return key(key).claim(instanceId, GATEWAY, scope, run).format();
	}

	/** The header of a replayed request. */
	public static String replay(String instanceId, String run) {
		return of(instanceId, SignedClaim.Scope.REPLAY, run);
	}

}
