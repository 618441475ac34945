package dev.warmup.catalog;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

import org.springframework.core.io.Resource;

/** Reads a catalog file and checks it thoroughly. Thread-safe. */
public final class CatalogReader {

	private final TemplateReader templates;

	/** Reads with the environment variables and the clock of this process. */
	public CatalogReader() {
		this(System::getenv, Clock.systemUTC());
	}

	/**
	 * Reads with the given surroundings.
	 * @param environment gives the value of an environment variable, or {@code null} if
	 * it is not set
	 * @param clock tells what {@code now} means
	 */
	public CatalogReader(Function<String, @Nullable String> environment, Clock clock) {
		this.templates = new TemplateReader(environment, clock);
	}

	/**
	 * Reads a catalog, and the body files it names. Blocks while reading.
	 * @param resource the file, in UTF-8, of at most 1 MiB
	 * @return the catalog; empty if the file holds no scenarios
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong;
	 * lists every problem, or the first one if the file is not bounded, plain YAML
	 */
	public Catalog read(Resource resource) {
		return read(resource, new CatalogFiles(resource));
	}

	Catalog read(Resource resource, CatalogFiles files) {
		String location = CatalogFiles.location(resource);
		Problems problems = new Problems(location);
		Optional<Node> root = YamlTree.parse(text(files, problems), problems);
		Catalog catalog = root.map((node) -> Entry.root(node, problems))
			.filter((entry) -> !entry.isNull())
			.map((entry) -> new DocumentReader(this.templates, files).read(entry, location))
			.orElseGet(() -> new Catalog(location, Map.of(), List.of()));
		problems.throwIfAny();
		return catalog;
	}

	private static String text(CatalogFiles files, Problems problems) {
		byte[] bytes = bytes(files, problems)
			.orElseThrow(() -> problems.fatal(1, 1, "the file is over 1 MiB", "split it, or move bodies to bodyFile"));
		return CatalogFiles.text(bytes)
			.orElseThrow(() -> problems.fatal(1, 1, "the file is not UTF-8", "save it as UTF-8"));
	}

	private static Optional<byte[]> bytes(CatalogFiles files, Problems problems) {
		try {
			return files.readCatalog();
		}
		catch (FileNotFoundException | NoSuchFileException ex) {
			throw problems.fatal(1, 1, "the file is missing", "create it, or set warmup.catalog to where it is");
		}
		catch (IOException ex) {
			throw problems.fatal(1, 1, "the file cannot be read: " + ex.getMessage(),
					"make it readable, or set warmup.catalog to another");
		}
	}

}
