package dev.warmup.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The singletons that are there by now: none is made for the sake of warming it, since
 * one that is lazy may never be needed, and may not work.
 */
final class MadeBeans {

	private MadeBeans() {
	}

	/**
	 * Looks for them.
	 * @param <T> their type
	 * @param beans where to look
	 * @param type their type
	 * @return those that there are each time it is asked
	 */
	static <T> Supplier<List<T>> of(ConfigurableListableBeanFactory beans, Class<T> type) {
		return () -> Arrays.stream(beans.getBeanNamesForType(type, false, false))
			.filter(beans::containsSingleton)
			.map((name) -> beans.getBean(name, type))
			.toList();
	}

}
