package dev.warmup.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.record.GatePosition;
import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;

/**
 * What {@code /actuator/warmup} answers on a service.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery
 * @param phase how warm it is
 * @param since when that phase began
 * @param gate whether it may take users
 * @param runs its last runs, the newest first
 * @param idle when it is warmed again
 */
public record StatusReport(String service, String instanceId, Phase phase, Instant since, GatePosition gate,
		List<RunRecord> runs, Idle idle) {

	/**
	 * When an idle instance is warmed again.
	 *
	 * @param after how long it must be idle; zero means never
	 * @param lastUserRequest when the last user request was here
	 * @param next when the next run is due if no user calls before
	 */
	public record Idle(Duration after, Optional<Instant> lastUserRequest, Optional<Instant> next) {

	}

}
