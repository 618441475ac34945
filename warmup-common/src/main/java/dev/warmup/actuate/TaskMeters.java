package dev.warmup.actuate;

import dev.warmup.protocol.TaskRecord;
import dev.warmup.run.RunListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Publishes {@code warmup.task}, a timer with its registry's base unit. */
public final class TaskMeters implements RunListener {

	private final MeterRegistry registry;

	/**
	 * Creates the meters.
	 * @param registry where to publish
	 */
	public TaskMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onTask(TaskRecord task) {
		Timer.builder("warmup.task")
			.description("Tasks run before the first request of a run")
			.tag("task", task.name())
			.tag("outcome", task.problem().isEmpty() ? "done" : "failed")
			.register(this.registry)
			.record(task.took());
	}

}
