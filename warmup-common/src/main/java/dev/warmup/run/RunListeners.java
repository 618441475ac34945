package dev.warmup.run;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners, or their observations of one run: one that throws is logged, and the
 * others are called.
 *
 * @param all in the order of their calls
 */
record RunListeners<T>(List<T> all) {

	private static final Logger logger = LoggerFactory.getLogger(RunListeners.class);

	RunListeners {
		all = List.copyOf(all);
	}

	void each(Consumer<T> call) {
		for (T each : this.all) {
			try {
				call.accept(each);
			}
			catch (RuntimeException | LinkageError ex) {
				logger.error("{} failed; the warm-up run goes on", each.getClass().getName(), ex);
			}
		}
	}

}
