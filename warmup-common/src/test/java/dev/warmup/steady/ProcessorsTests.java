package dev.warmup.steady;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessorsTests {

	@TempDir
	private Path cgroup;

	@Test
	void withoutAQuotaTheProcessorsAreThoseThatTheJvmCounts() {
		assertThat(Processors.available(this.cgroup, 2)).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "50000 100000, 0.5", "150000 100000, 1.5", "400000 100000, 2", "max 100000, 2", "0 100000, 2",
			"'', 2" })
	void aQuotaOfVersionTwoCountsWhereItIsLess(String content, double processors) throws IOException {
		Files.writeString(this.cgroup.resolve("cpu.max"), content + "\n");
		assertThat(Processors.available(this.cgroup, 2)).isEqualTo(processors);
	}

	@ParameterizedTest
	@CsvSource({ "50000, 0.5", "-1, 2" })
	void soDoesOneOfVersionOne(String quota, double processors) throws IOException {
		Files.createDirectory(this.cgroup.resolve("cpu"));
		Files.writeString(this.cgroup.resolve("cpu/cpu.cfs_quota_us"), quota + "\n");
		Files.writeString(this.cgroup.resolve("cpu/cpu.cfs_period_us"), "100000\n");
		assertThat(Processors.available(this.cgroup, 2)).isEqualTo(processors);
	}

}
