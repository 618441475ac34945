package dev.warmup.insight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.protocol.Instance;

/**
 * The file that names the classes of one run, a class a line under its scenario.
 *
 * @param directory where it goes
 * @param instance whose run it is
 * @param run the run's id
 */
record ClassFile(Path directory, Instance instance, String run) {

	/**
	 * Writes the file, which must not be there yet. Blocks.
	 * @return where it is
	 * @throws IOException if it cannot be written
	 */
	Path write(Map<String, List<LoadedClass>> byScenario) throws IOException {
		Files.createDirectories(this.directory);
		List<String> lines = new ArrayList<>();
		lines.add("# Classes that the first of each scenario loaded: %s, run %s".formatted(name(), this.run));
		byScenario.forEach((scenario, loaded) -> {
			lines.add("");
			lines.add("# %s: %d".formatted(scenario, loaded.size()));
			loaded.forEach((each) -> lines.add(each.name()));
		});
		return Files.write(this.directory.resolve("warmup-classes-" + this.run + ".txt"), lines,
				StandardOpenOption.CREATE_NEW);
	}

	/** The instance's name as logs have it. */
	String name() {
		return this.instance.service() + "/" + this.instance.instanceId();
	}

}
