package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import reactor.test.StepVerifier;

import org.springframework.context.ApplicationContext;

/** What tests of other packages need of this one, beyond what its users see. */
public final class RunInternals {

	private RunInternals() {
	}

	/** A recorder of a run at start, steady after one answer each. */
	public static RunRecorder recorder(Catalog catalog, String service) {
		return new RunRecorder("r-1", Trigger.STARTUP, "gw", Plan.of(catalog, service, Trigger.STARTUP, 1),
				Steadily.AT_ONCE, Clock.systemUTC());
	}

	/** Runs the tasks of an application. */
	public static List<RunRecord.Task> runTasks(ApplicationContext context) {
		List<RunRecord.Task> records = new ArrayList<>();
		StepVerifier
			.create(context.getBean(WarmupTasks.class).run(Budget.start(Duration.ofMinutes(1), System::nanoTime)))
			.consumeNextWith(records::addAll)
			.expectComplete()
			.verify(Duration.ofMinutes(1));
		return records;
	}

}
