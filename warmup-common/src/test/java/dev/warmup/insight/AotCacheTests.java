package dev.warmup.insight;

import java.util.Map;
import java.util.Optional;

import dev.warmup.insight.AotCache.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class AotCacheTests {

	private static final String MAPPED = "mixed mode, sharing";

	private static Optional<AotCache> of(Map<String, String> options, String vmInfo) {
		return AotCache.of((name) -> Optional.ofNullable(options.get(name)), vmInfo);
	}

	@Test
	void aJvmThatWasGivenNoneHasNone() {
		assertThat(of(Map.of(), MAPPED)).isEmpty();
		assertThat(AotCache.ofThisJvm()).isEmpty();
	}

	@Test
	void aMappedCacheIsInUse(CapturedOutput output) {
		AotCache cache = of(Map.of("AOTCache", "/app/a.aot"), MAPPED).orElseThrow();
		assertThat(cache.use()).isEqualTo(Use.IN_USE);
		cache.log();
		assertThat(output).contains("INFO").contains("AOT cache /app/a.aot: in use");
	}

	@Test
	void aCacheThatTheJvmRefusesIsAWarning(CapturedOutput output) {
		AotCache cache = of(Map.of("AOTCache", "/app/a.aot"), "mixed mode").orElseThrow();
		assertThat(cache.use()).isEqualTo(Use.REFUSED);
		cache.log();
		assertThat(output).contains("WARN").contains("AOT cache /app/a.aot: not in use");
	}

	@Test
	void aCacheThatIsTurnedOffIsNone() {
		assertThat(of(Map.of("AOTCache", "/app/a.aot", "AOTMode", "off"), "mixed mode")).isEmpty();
	}

	@Test
	void aTrainingJvmWritesItsCacheAtTheEnd(CapturedOutput output) {
		AotCache cache = of(Map.of("AOTCacheOutput", "/app/a.aot", "AOTMode", "record"), "mixed mode").orElseThrow();
		assertThat(cache.use()).isEqualTo(Use.TRAINED);
		cache.log();
		assertThat(output).contains("AOT cache /app/a.aot: written when this JVM ends");
	}

}
