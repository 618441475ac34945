package dev.warmup;

import java.util.stream.Stream;

import dev.warmup.autoconfigure.WarmupRunAutoConfiguration;
import dev.warmup.run.RunSettings;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/** What counts as steady in tests that are not about that. */
@AutoConfiguration(before = WarmupRunAutoConfiguration.class)
@ConditionalOnBooleanProperty(LenientCriteria.PROPERTY)
public final class LenientCriteria {

	/** Any answer of a request will do, however busy the JVM is. */
	public static final RunSettings.SteadyCriteria AT_ONCE = new RunSettings.SteadyCriteria(1_000, 1_000, 1, 1_000,
			1_000_000, 1_000);

	static final String PROPERTY = "test.lenient-criteria";

	/** These properties, and one with which any five answers of a request will do. */
	public static String[] and(String... properties) {
		return Stream.concat(Stream.of(properties), Stream.of(PROPERTY + "=true")).toArray(String[]::new);
	}

	@Bean
	RunSettings.SteadyCriteria steadyAfterFiveAnswers() {
		return new RunSettings.SteadyCriteria(1_000, 1_000, 5, 1_000, 1_000_000, 1_000);
	}

}
