package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * Reads the catalog and the files it names, none longer than 1 MiB, and remembers their
 * contents.
 */
final class CatalogFiles {

	/** In bytes. */
	static final int LARGEST = 1 << 20;

	/** A relative path without {@code ..}, also not as the escape of a URL. */
	private static final Pattern BELOW = Pattern.compile("(?!/)(?!.*\\.\\.)[^%:\\\\]+");

	private final Resource catalog;

	private final List<ByteBuffer> contents = new ArrayList<>();

	CatalogFiles(Resource catalog) {
		this.catalog = catalog;
	}

	/** The catalog as an operator would name it. */
	String location() {
		if (this.catalog instanceof ClassPathResource classPath) {
			return "classpath:" + classPath.getPath();
		}
		try {
			return this.catalog.isFile() ? this.catalog.getFile().getPath() : this.catalog.getURL().toString();
		}
		catch (IOException ex) {
			return this.catalog.getDescription();
		}
	}

	/** The bytes of the catalog itself. */
	byte[] readCatalog() throws IOException {
		return read(this.catalog);
	}

	/**
	 * The bytes of a file in the catalog's folder, or below it. Others, such as
	 * {@code /proc/self/environ}, may hold secrets.
	 */
	byte[] readBeside(String path) throws IOException {
		if (!BELOW.matcher(path).matches()) {
			throw new IOException("it is outside of the catalog's folder");
		}
		return read(this.catalog.createRelative(path));
	}

	/** What was read so far; equal to that of an earlier reading if nothing changed. */
	List<ByteBuffer> contents() {
		return List.copyOf(this.contents);
	}

	/** The text, or empty if the bytes are not UTF-8. */
	static Optional<String> text(byte[] bytes) {
		try {
			return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
		}
		catch (CharacterCodingException ex) {
			return Optional.empty();
		}
	}

	/** The URL of a directory can be opened, too, and reads like an empty file. */
	private byte[] read(Resource resource) throws IOException {
		if (resource.isFile() && resource.getFile().isDirectory()) {
			throw new IOException("it is a directory");
		}
		try (InputStream input = resource.getInputStream()) {
			byte[] bytes = input.readNBytes(LARGEST + 1);
			this.contents.add(ByteBuffer.wrap(bytes));
			if (bytes.length > LARGEST) {
				throw new IOException("it is over 1 MiB");
			}
			return bytes;
		}
	}

}
