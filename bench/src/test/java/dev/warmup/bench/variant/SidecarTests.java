package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SidecarTests {

	@TempDir
	Path work;

	@Test
	void withoutMittensItsScheduleIsMadeByOurClientAndTheTitleSaysSo() {
		Sidecar sidecar = Sidecar.chosen(Optional.empty(), this.work);
		assertThat(sidecar).isInstanceOf(MittensClient.class);
		assertThat(sidecar.title()).contains("our client");
		assertThat(sidecar.missing()).isEmpty();
		assertThat(Sidecar.chosen(Optional.of(" "), this.work)).isInstanceOf(MittensClient.class);
	}

	@Test
	void mittensIsTakenWhereItIs() {
		Sidecar sidecar = Sidecar.chosen(Optional.of("/bin/sh"), this.work);
		assertThat(sidecar).isInstanceOf(MittensProcess.class);
		assertThat(sidecar.title()).isEqualTo("mittens");
		assertThat(sidecar.missing()).isEmpty();
	}

	@Test
	void mittensThatIsNotWhereItIsSaidToBeIsMissingAndNotReplaced() {
		Sidecar sidecar = Sidecar.chosen(Optional.of(this.work.resolve("none").toString()), this.work);
		assertThat(sidecar.missing()).hasValueSatisfying((reason) -> assertThat(reason).contains("MITTENS_BIN"));
	}

}
