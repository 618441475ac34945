package dev.warmup.run;

import java.time.Clock;
import java.util.List;

import dev.warmup.LenientCriteria;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.Trigger;

/** What tests of other packages need of this one, beyond what its users see. */
public final class RunInternals {

	private RunInternals() {
	}

	/** A recorder of a startup run, steady after one answer each. */
	public static RunRecorder recorder(Catalog catalog, String service) {
		return new RunRecorder("r-1", Trigger.STARTUP, "gw", Plan.of(catalog, service, Trigger.STARTUP, 1), List.of(),
				LenientCriteria.AT_ONCE, Clock.systemUTC());
	}

}
