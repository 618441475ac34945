package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * Reads the catalog and the files it names, none longer than 1 MiB, and remembers their
 * contents.
 */
final class CatalogFiles {

	/** In bytes. */
	static final int LARGEST = 1 << 20;

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
			return this.catalog.isFile() ? this.catalog.getFile().getPath()
					: withoutLogin(this.catalog.getURL().toString());
		}
		catch (IOException ex) {
			return this.catalog.getDescription();
		}
	}

	/** Without the login of any URL, which Spring sends, and which must not be logged. */
	static String withoutLogin(String text) {
		return text.replaceAll("//[^/\\s]*@", "//");
	}

	/** The bytes of the catalog itself, or empty if it is too long. */
	Optional<byte[]> readCatalog() throws IOException {
		return read(this.catalog);
	}

	/**
	 * The bytes of a file in the catalog's folder, or below it, or empty if it is too
	 * long. Others, such as {@code /proc/self/environ}, may hold secrets; what is on the
	 * class path is the application's own.
	 */
	Optional<byte[]> readBeside(String path) throws IOException {
		Resource file = this.catalog.createRelative(path);
		if (!(file instanceof ClassPathResource) && !isBelow(cleanUrl(file), cleanUrl(this.catalog))) {
			throw new IOException("it is outside of the catalog's folder");
		}
		return read(file);
	}

	private static boolean isBelow(String file, String catalog) {
		return file.startsWith(catalog.substring(0, catalog.lastIndexOf('/') + 1));
	}

	/** Of a file by its absolute path, since a relative one may have no folder. */
	private static String cleanUrl(Resource resource) throws IOException {
		String url = resource.isFile() ? resource.getFile().toPath().toUri().toString() : resource.getURL().toString();
		return StringUtils.cleanPath(StringUtils.uriDecode(url, StandardCharsets.UTF_8));
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
	private Optional<byte[]> read(Resource resource) throws IOException {
		if (resource.isFile() && resource.getFile().isDirectory()) {
			throw new IOException("it is a directory");
		}
		try (InputStream input = resource.getInputStream()) {
			byte[] bytes = input.readNBytes(LARGEST + 1);
			this.contents.add(ByteBuffer.wrap(bytes));
			return (bytes.length <= LARGEST) ? Optional.of(bytes) : Optional.empty();
		}
	}

}
