package dev.warmup.insight;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.Steadily;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.Outcome;
import dev.warmup.run.Plan;
import dev.warmup.run.RunObserver;
import dev.warmup.run.RunRecorder;
import jdk.jfr.FlightRecorder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ClassReportTests {

	private static final Catalog CATALOG = Catalogs.of("""
			version: 1
			scenarios:
			  - { name: rooms, requests: [GET /rooms] }
			  - { name: users, requests: [GET /users] }
			""");

	@TempDir
	private Path directory;

	@Test
	void classesAreListedUnderTheScenarioThatLoadedThem() throws Exception {
		try (CapturedLog log = CapturedLog.of(ClassSight.class)) {
			RunObserver.Observation sight = begin(this.directory.resolve("made"));
			load(OfRooms.class);
			answered(sight, 0);
			load(OfUsers.class);
			answered(sight, 1);
			load(OfNobody.class);
			sight.together();
			sight.ended();
			sight.close();
			Path file = this.directory.resolve("made").resolve("warmup-classes-r-1.txt");
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> log.lines().size() == 3);
			List<String> lines = Files.readAllLines(file);
			assertThat(lines.get(0))
				.isEqualTo("# Classes that the first of each scenario loaded: chat-service/host:1, run r-1");
			int users = lines.indexOf(lines.stream().filter((line) -> line.startsWith("# users: ")).findAny().get());
			assertThat(lines.get(2)).startsWith("# rooms: ");
			assertThat(lines.subList(2, users)).contains(OfRooms.class.getName());
			assertThat(lines.subList(users, lines.size())).contains(OfUsers.class.getName());
			assertThat(lines).doesNotContain(OfNobody.class.getName());
			assertThat(log.lines().get(0))
				.matches("INFO chat-service/host:1 classes loaded by the first rooms: \\d+ \\(.*dev\\.warmup \\d+.*");
			assertThat(log.lines().get(1))
				.matches("INFO chat-service/host:1 classes loaded by the first users: \\d+ \\(.*dev\\.warmup \\d+.*");
			assertThat(log.lines().get(2)).isEqualTo("INFO chat-service/host:1 classes are listed in " + file);
		}
	}

	@Test
	void aRunThatBreaksOffLeavesNoRecordingBehind() {
		int before = recordings();
		RunObserver.Observation sight = begin(this.directory);
		assertThat(recordings()).isEqualTo(before + 1);
		sight.close();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> recordings() == before);
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void aDirectoryThatCannotBeWrittenToIsSaid() throws IOException {
		int before = recordings();
		Path occupied = Files.createFile(this.directory.resolve("file"));
		try (CapturedLog log = CapturedLog.of(ClassSight.class)) {
			RunObserver.Observation sight = begin(occupied);
			answered(sight, 0);
			sight.together();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> log.lines()
					.stream()
					.anyMatch((line) -> line.startsWith("WARN chat-service/host:1 classes were not written: ")));
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> recordings() == before);
		}
	}

	private static RunObserver.Observation begin(Path directory) {
		return new ClassReport(() -> new Instance("chat-service", "host:1"), directory).begin("r-1",
				new RunRecorder("r-1", Trigger.STARTUP, "gw", Plan.of(CATALOG, "chat-service", Trigger.STARTUP, 1),
						Steadily.AT_ONCE, Clock.systemUTC()));
	}

	private static void answered(RunObserver.Observation sight, int index) {
		Scenario scenario = CATALOG.scenarios().get(index);
		sight.alone(new Outcome.Answered(scenario, scenario.requests().get(0), Duration.ofMillis(5)));
	}

	private static int recordings() {
		return FlightRecorder.getFlightRecorder().getRecordings().size();
	}

	/** Loads a class anew. */
	private static void load(Class<?> type) throws ClassNotFoundException {
		new Anew(type).loadClass(type.getName());
	}

	private static final class Anew extends ClassLoader {

		private final Class<?> type;

		Anew(Class<?> type) {
			super(type.getClassLoader());
			this.type = type;
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals(this.type.getName())) {
				return super.loadClass(name, resolve);
			}
			try (InputStream bytes = this.type.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
				byte[] all = bytes.readAllBytes();
				return defineClass(name, all, 0, all.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	private static final class OfRooms {

	}

	private static final class OfUsers {

	}

	private static final class OfNobody {

	}

}
