package dev.warmup.protocol;

/**
 * What a service reports to a gateway: the body of {@code PUT /.warmup/runs/{id}}.
 *
 * @param service the service's {@code spring.application.name}
 * @param instanceId the instance's name in discovery
 * @param phase the phase that this run alone would leave the instance in;
 * {@link Phase#RAMPING} while it goes on though the gate has opened;
 * {@link Phase#WARMING} for a dry run while it is under way, which a gateway reads and
 * discards
 * @param gate {@link Gate.Position#OPEN} in the one report that announces that the gate
 * has opened and that the instance accepts users
 * @param run what the run through that gateway did, so far
 */
public record RunReport(String service, String instanceId, Phase phase, Gate.Position gate, RunRecord run) {

	/** Where a gateway takes reports in; the run's id follows. */
	public static final String PATH = "/.warmup/runs/";

	/** The most bytes a gateway reads of a report. */
	public static final int MAX_BYTES = 64 * 1024;

}
