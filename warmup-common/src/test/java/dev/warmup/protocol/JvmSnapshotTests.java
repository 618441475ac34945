package dev.warmup.protocol;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;

class JvmSnapshotTests {

	@Test
	void readingSurvivesTheHeader() {
		JvmSnapshot snapshot = new JvmSnapshot("127.0.0.1:8000", 0.5, Duration.ofMillis(12_345), 15_012);
		assertThat(snapshot.format()).isEqualTo("jvm=127.0.0.1:8000; processors=0.50; jit=12345; classes=15012");
		assertThat(JvmSnapshot.parse(snapshot.format())).hasValue(snapshot);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "jvm=a", "jvm=a; processors=1.00; jit=-1; classes=1",
			"jvm=a b; processors=1.00; jit=1; classes=1", "jvm=a; processors=1.00; jit=1; classes=9999999999999999" })
	void anythingElseIsNotParsed(String header) {
		assertThat(JvmSnapshot.parse(header)).isEmpty();
	}

	@Test
	void thisJvmHasCompiledAndLoadedSomething() {
		JvmSnapshot now = JvmSnapshot.now("me", Runtime.getRuntime().availableProcessors());
		assertThat(now.classesLoaded()).isPositive();
		assertThat(JvmSnapshot.Figures.now().cpu()).isPositive();
	}

	@Test
	void processorTimeIsUnknownToAJreWithoutTheModuleJdkManagement() throws ReflectiveOperationException, IOException {
		URL library = JvmSnapshot.class.getProtectionDomain().getCodeSource().getLocation();
		try (URLClassLoader small = new URLClassLoader(new URL[] { library },
				new FilteredClassLoader("com.sun.management", "dev.warmup"))) {
			Class<?> type = small.loadClass(JvmSnapshot.Figures.class.getName());
			Object figures = type.getMethod("now").invoke(null);
			assertThat(type.getMethod("cpu").invoke(figures)).isEqualTo(Duration.ZERO);
			assertThat((Long) type.getMethod("classesLoaded").invoke(figures)).isPositive();
		}
	}

}
