package dev.warmup.bench.memory;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class HostTests {

	@ParameterizedTest
	@CsvSource({ "6.1.0-18-amd64", "5.10.0", "5.15.167.4-microsoft-standard-WSL2", "10.0" })
	void rootOnANewEnoughLinuxMayPageOut(String kernel) {
		assertThat(new Host("Linux", kernel, true, List.of()).obstacle()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "Mac OS X,14.5,true,Linux", "Linux,5.9.16,true,5.10", "Linux,4.18.0,true,5.10", "Linux,?,true,5.10",
			"Linux,6.1.0,false,root" })
	void othersAreToldWhatIsMissing(String system, String kernel, boolean root, String told) {
		assertThat(new Host(system, kernel, root, List.of()).obstacle())
			.hasValueSatisfying((obstacle) -> assertThat(obstacle).contains(told));
	}

	@Test
	void missingProgramsAreNamed() {
		assertThat(new Host("Linux", "6.1.0", true, List.of("python3", "mkswap")).obstacle())
			.contains("this needs python3, mkswap");
	}

}
