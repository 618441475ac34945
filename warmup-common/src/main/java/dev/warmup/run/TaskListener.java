package dev.warmup.run;

import dev.warmup.protocol.TaskRecord;

/** Is told how tasks go. Calls come one after another for one run, and must not block. */
@FunctionalInterface
public interface TaskListener {

	/**
	 * A task is over.
	 * @param task what became of it
	 */
	void onTask(TaskRecord task);

}
