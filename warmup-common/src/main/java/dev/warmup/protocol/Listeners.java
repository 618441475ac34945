package dev.warmup.protocol;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners one after another: one that throws is logged, and the others are
 * called. Those of an application must not fail a run, nor a request at a gateway.
 *
 * @param all in the order of their calls
 */
public record Listeners<T>(List<T> all) {

	private static final Logger logger = LoggerFactory.getLogger(Listeners.class);

	public Listeners {
		all = List.copyOf(all);
	}

	/** Calls each. */
	public void each(Consumer<T> call) {
		for (T each : this.all) {
			try {
				call.accept(each);
			}
			catch (RuntimeException | LinkageError ex) {
				logger.error("{} failed, and is ignored", each.getClass().getName(), ex);
			}
		}
	}

}
