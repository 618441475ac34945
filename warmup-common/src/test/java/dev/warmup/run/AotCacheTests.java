package dev.warmup.run;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.JvmSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;

class AotCacheTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					AOTCache=/app/a.aot                      | mixed mode, sharing | INFO AOT cache /app/a.aot: in use
					AOTCache=/app/a.aot                      | mixed mode          | WARN AOT cache /app/a.aot: not in use
					AOTCacheOutput=/app/a.aot AOTMode=record | mixed mode          | INFO AOT cache /app/a.aot: will be written when this JVM exits
					AOTCache=/app/a.aot AOTMode=off          | mixed mode          |
					AOTMode=auto                             | mixed mode, sharing |
					""")
	void cacheIsLoggedIfTheJvmWasGivenOne(String options, String vmInfo, @Nullable String line) {
		Map<String, String> values = Stream.of(options.split(" "))
			.map((option) -> option.split("="))
			.collect(Collectors.toMap((option) -> option[0], (option) -> option[1]));
		try (CapturedLog log = CapturedLog.of(AotCache.class)) {
			AotCache.log((name) -> Optional.ofNullable(values.get(name)), vmInfo);
			if (line == null) {
				assertThat(log.lines()).isEmpty();
			}
			else {
				assertThat(log.lines()).singleElement().asString().startsWith(line);
			}
		}
	}

	@Test
	void aJreWithoutTheModuleJdkManagementHasNoCacheAndNoProcessorTime()
			throws ReflectiveOperationException, IOException {
		URL library = AotCache.class.getProtectionDomain().getCodeSource().getLocation();
		try (URLClassLoader small = new URLClassLoader(new URL[] { library },
				new FilteredClassLoader("com.sun.management", "dev.warmup"))) {
			Class<?> cache = small.loadClass(AotCache.class.getName());
			assertThat(cache.getDeclaredMethods()).as("as Spring looks at them").isNotEmpty();
			assertThat(cache.getMethod("isInUse").invoke(null)).isEqualTo(false);
			Class<?> type = small.loadClass(JvmSnapshot.Figures.class.getName());
			Object figures = type.getMethod("now").invoke(null);
			assertThat(type.getMethod("cpu").invoke(figures)).isEqualTo(Duration.ZERO);
			assertThat((Long) type.getMethod("classesLoaded").invoke(figures)).isPositive();
		}
		assertThat(JvmSnapshot.Figures.now().cpu()).as("with it").isPositive();
	}

}
