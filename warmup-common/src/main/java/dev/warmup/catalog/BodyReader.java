package dev.warmup.catalog;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;

/**
 * Reads {@code body}, {@code json} or {@code bodyFile}, of which a request has at most
 * one.
 */
final class BodyReader {

	static final Set<String> KEYS = Set.of("body", "json", "bodyFile");

	private final TemplateReader templates;

	private final CatalogFiles files;

	BodyReader(TemplateReader templates, CatalogFiles files) {
		this.templates = templates;
		this.files = files;
	}

	Optional<Body> read(Fields request, Names names) {
		List<String> present = request.present(KEYS);
		present.stream()
			.skip(1)
			.forEach((key) -> request.key(key)
				.problem("the request already has a body, '%s'".formatted(present.get(0)), "keep one of them"));
		return request.find("body")
			.flatMap((entry) -> text(entry, names))
			.or(() -> request.find("json")
				.map((entry) -> new Body.Tree(JsonReader.template(entry, this.templates, names))))
			.or(() -> request.find("bodyFile").flatMap((entry) -> file(entry, names)));
	}

	private Optional<Body> text(Entry entry, Names names) {
		return entry.text().map((text) -> new Body.Text(this.templates.parse(entry, text, names), Optional.empty()));
	}

	private Optional<Body> file(Entry entry, Names names) {
		return entry.text().flatMap((path) -> {
			Optional<MediaType> type = MediaTypeFactory.getMediaType(path);
			return bytes(entry, path).map((bytes) -> CatalogFiles.text(bytes)
				.<Body>map((text) -> new Body.Text(this.templates.parse(entry, text, names), type))
				.orElseGet(() -> new Body.Binary(bytes, type)));
		});
	}

	private Optional<byte[]> bytes(Entry entry, String path) {
		try {
			Optional<byte[]> bytes = this.files.readBeside(path);
			if (bytes.isEmpty()) {
				entry.problem("the file '%s' is over 1 MiB".formatted(path), "send less");
			}
			return bytes;
		}
		catch (IOException ex) {
			entry.problem("the file '%s' cannot be read".formatted(path),
					"name a file by its path from the catalog's folder");
			return Optional.empty();
		}
	}

}
