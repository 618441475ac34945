package dev.warmup.run;

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
	private Path mount;

	@Test
	void withoutAQuotaTheProcessorsAreThoseThatTheJvmCounts() {
		assertThat(counted(2)).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "50000 100000, 0.5", "150000 100000, 1.5", "400000 100000, 2", "max 100000, 2", "0 100000, 2",
			"'', 2" })
	void aQuotaOfVersionTwoCountsWhereItIsLess(String content, double processors) throws IOException {
		versionTwo("", content);
		assertThat(counted(2)).isEqualTo(processors);
	}

	@ParameterizedTest
	@CsvSource({ "50000, 0.5", "-1, 2" })
	void soDoesOneOfVersionOne(String quota, double processors) throws IOException {
		versionOne("cpu", quota);
		assertThat(counted(2)).isEqualTo(processors);
	}

	@Test
	void theQuotaOfAServiceAmongOthersCountsToo() throws IOException {
		versionTwo("", "max 100000");
		versionTwo("system.slice/chat.service", "50000 100000");
		versionTwo("system.slice/other.service", "20000 100000");
		memberships("0::/system.slice/chat.service");
		assertThat(counted(2)).isEqualTo(0.5);
	}

	@Test
	void soDoesOneOfVersionOneWhateverIsMountedWithIt() throws IOException {
		versionOne("cpu/chat", "50000");
		versionOne("cpu/memory-only", "20000");
		memberships("9:memory:/memory-only", "4:cpuacct,cpu:/chat", "0::/");
		assertThat(counted(2)).isEqualTo(0.5);
	}

	@Test
	void theLeastOfAllQuotasOnTheWayCounts() throws IOException {
		versionTwo("pod", "50000 100000");
		versionTwo("pod/container", "150000 100000");
		memberships("0::/pod/container");
		assertThat(counted(2)).isEqualTo(0.5);
	}

	@ParameterizedTest
	@CsvSource({ "/docker/4711", "/../..", "/" })
	void inAContainerTheMountedOneCountsWhateverTheHostCallsIt(String path) throws IOException {
		versionTwo("", "50000 100000");
		memberships("0::" + path);
		assertThat(counted(2)).isEqualTo(0.5);
	}

	private double counted(int byJvm) {
		return Processors.available(this.mount, this.mount.resolve("memberships"), byJvm);
	}

	private void memberships(String... lines) throws IOException {
		Files.writeString(this.mount.resolve("memberships"), String.join("\n", lines) + "\n");
	}

	private void versionTwo(String cgroup, String max) throws IOException {
		Files.writeString(directory(cgroup).resolve("cpu.max"), max + "\n");
	}

	private void versionOne(String cgroup, String quota) throws IOException {
		Files.writeString(directory(cgroup).resolve("cpu.cfs_quota_us"), quota + "\n");
		Files.writeString(directory(cgroup).resolve("cpu.cfs_period_us"), "100000\n");
	}

	private Path directory(String cgroup) throws IOException {
		return Files.createDirectories(this.mount.resolve(cgroup));
	}

}
