package dev.warmup.docker.compose;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The compose files as they are written, anchors followed, variables left as they are.
 */
final class Compose {

	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	static final Path FILE = ROOT.resolve("docker/compose.yaml");

	private Compose() {
	}

	/**
	 * Reads one.
	 * @param file the file
	 * @return its content
	 */
	static Map<String, Object> read(Path file) {
		try {
			return parse(Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Map<String, Object> parse(String text) {
		LoaderOptions options = new LoaderOptions();
		options.setAllowDuplicateKeys(false);
		return new Yaml(new SafeConstructor(options)).load(text);
	}

	/**
	 * The services that docker/compose.yaml defines.
	 * @return settings by name
	 */
	static Map<String, Map<String, Object>> services() {
		return get(read(FILE), "services");
	}

	static Map<String, Object> service(String name) {
		return Objects.requireNonNull(services().get(name), name);
	}

	@SuppressWarnings("unchecked")
	static <T> T get(Map<String, Object> map, String... path) {
		Object value = map;
		for (String key : path) {
			value = Objects.requireNonNull(((Map<String, Object>) value).get(key), () -> String.join(".", path));
		}
		return (T) value;
	}

	static List<String> own() {
		return List.of("eureka-server", "gateway", "chat-service");
	}

}
