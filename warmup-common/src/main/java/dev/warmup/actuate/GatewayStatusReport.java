package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.gateway.FleetEntry;
import dev.warmup.insight.CoverageReport;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.IdleStatus;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/**
 * What {@code /actuator/warmup} answers on a gateway.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery
 * @param phase how the run that was reported last left the ways through it
 * @param since when that phase began
 * @param gate whether it may take users
 * @param runs the last runs that went through it, the newest first
 * @param idle when a user was last here, and when its services are asked to warm it
 * again; without discovery there is nobody to ask
 * @param fleet every instance that was warmed through it
 * @param coverage what share of users' requests runs send; empty where nobody counts
 */
public record GatewayStatusReport(String service, String instanceId, Phase phase, Instant since, GatePosition gate,
		List<RunRecord> runs, IdleStatus idle, List<FleetEntry> fleet, Optional<CoverageReport> coverage) {

	public GatewayStatusReport {
		runs = List.copyOf(runs);
		fleet = List.copyOf(fleet);
	}

}
