package dev.warmup.gateway;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.coverage.CoverageReport;
import dev.warmup.record.GatePosition;
import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;
import dev.warmup.status.StatusReport;

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
		List<RunRecord> runs, StatusReport.Idle idle, List<FleetEntry> fleet, Optional<CoverageReport> coverage) {

	public GatewayStatusReport {
		runs = List.copyOf(runs);
		fleet = List.copyOf(fleet);
	}

}
