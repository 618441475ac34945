package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.IdleStatus;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

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
		List<RunRecord> runs, IdleStatus idle) {

}
