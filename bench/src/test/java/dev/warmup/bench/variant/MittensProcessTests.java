package dev.warmup.bench.variant;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MittensProcessTests {

	private static final URI TARGET = URI.create("http://127.0.0.1:8099");

	private static final List<StaticRequest> REQUESTS = List.of(new StaticRequest("GET", "/rooms", Optional.empty()));

	@TempDir
	Path work;

	@Test
	void theScheduleAndTheTargetAreFlags() {
		List<String> command = new MittensProcess(Path.of("/opt/mittens"), this.work).command(TARGET,
				new Schedule(8, Duration.ofMillis(10), Duration.ofSeconds(10)), Map.of("Content-Type", "text/plain"),
				REQUESTS);
		assertThat(command).startsWith("/opt/mittens")
			.contains("-target-http-host=http://127.0.0.1", "-target-http-port=8099", "-target-readiness-port=8099",
					"-concurrency=8", "-request-delay-milliseconds=10", "-max-warmup-seconds=10",
					"-max-duration-seconds=40", "-http-headers=Content-Type:text/plain", "-http-requests=get:/rooms");
	}

	@Test
	void countsAnswersOfAnyStatusAndRequestsWithoutAnswer() {
		String log = """
				2026/01/01 00:00:00 Spawning new go routine for HTTP requests
				2026/01/01 00:00:01 \uD83D\uDFE2 http response\t12 ms\t201\tPOST\t/rooms
				2026/01/01 00:00:02 \uD83D\uDD34 http response\t3 ms\t415\tPOST\t/users
				2026/01/01 00:00:03 \uD83D\uDD34 Error in request for /rooms: Get "http://127.0.0.1:1/rooms": refused
				2026/01/01 00:00:04 Warm up finished, approximately 2 reqs were sent
				""";
		assertThat(MittensProcess.sent(log)).isEqualTo(new Effort(3, 2));
	}

	@Test
	void waitsUntilMittensCallsTheServiceReady() throws IOException {
		Effort effort = warm("printf 'http response\\t1 ms\\t200\\tGET\\t/rooms\\n'; touch ready");
		assertThat(effort).isEqualTo(new Effort(1, 0));
	}

	@Test
	void failsWhenMittensEndsWithoutCallingTheServiceReady() {
		assertThatIllegalStateException().isThrownBy(() -> warm("echo not today")).withMessageContaining("not today");
		assertThatIllegalStateException().isThrownBy(() -> warm("echo wrong flag; exit 2"))
			.withMessageContaining("wrong flag");
	}

	private Effort warm(String script) throws IOException {
		Path binary = this.work.resolve("mittens");
		Files.writeString(binary, "#!/bin/sh\n" + script + "\n");
		assertThat(binary.toFile().setExecutable(true)).isTrue();
		return new MittensProcess(binary, this.work.resolve("run")).warm(TARGET, Schedule.DEFAULT, Map.of(), REQUESTS);
	}

}
