package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Summary;

/** Results as files: JSON with all samples, and what can be rebuilt from it. */
public final class Reports {

	/** The file with all samples. */
	public static final String JSON = "results.json";

	private Reports() {
	}

	/**
	 * Writes {@value #JSON}, {@code README.md} and charts, over those that are there. The
	 * samples are written first. Charts of what was not measured are deleted; where
	 * charts cannot be drawn at all, for want of fonts say, the page tells why.
	 * @param results what was measured
	 * @param directory where to; made when it is not there
	 * @throws IOException when it cannot be written
	 */
	public static void write(Results results, Path directory) throws IOException {
		Files.createDirectories(directory);
		String json = Json.write(results);
		Files.writeString(directory.resolve(JSON), json);
		// the rest tells what is in the file, so that it can be rebuilt to the letter
		Results written = Json.read(json);
		Summary summary = Summary.of(written);
		List<Note> notes = new ArrayList<>(written.notes());
		List<Drawing> drawn = new ArrayList<>();
		for (Drawing drawing : Drawing.ALL) {
			Path file = directory.resolve(drawing.file());
			Files.deleteIfExists(file);
			try {
				if (Look.save(drawing.draw(summary), file)) {
					drawn.add(drawing);
				}
			}
			catch (RuntimeException | InternalError | LinkageError ex) {
				Files.deleteIfExists(file);
				notes.add(new Note("", "", "%s could not be drawn: %s".formatted(drawing.file(), ex)));
			}
		}
		Files.writeString(directory.resolve("README.md"), Page.write(written, summary, drawn, notes));
	}

	/**
	 * Reads what was written.
	 * @param file a {@value #JSON}
	 * @return the results, their samples in the order of the tables and rounded
	 * @throws IOException when it cannot be read
	 */
	public static Results read(Path file) throws IOException {
		return Json.read(Files.readString(file));
	}

}
