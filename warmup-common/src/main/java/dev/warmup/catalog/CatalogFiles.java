package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * Reads the catalog and the files it names, none longer than 1 MiB, and fingerprints
 * them.
 */
final class CatalogFiles {

	/** In bytes. */
	static final int LARGEST = 1 << 20;

	private final Resource catalog;

	private final MessageDigest digest = sha256();

	CatalogFiles(Resource catalog) {
		this.catalog = catalog;
	}

	/** The catalog as an operator would name it. */
	static String location(Resource resource) {
		if (resource instanceof ClassPathResource classPath) {
			return "classpath:" + classPath.getPath();
		}
		try {
			return resource.isFile() ? resource.getFile().getPath() : resource.getURL().toString();
		}
		catch (IOException ex) {
			return resource.getDescription();
		}
	}

	/**
	 * Reads the catalog itself.
	 * @return its bytes, or empty if it is too long
	 * @throws IOException if it cannot be read
	 */
	Optional<byte[]> readCatalog() throws IOException {
		return read(this.catalog);
	}

	/**
	 * Reads a file beside the catalog.
	 * @return its bytes, or empty if it is too long
	 * @throws IOException if it cannot be read
	 */
	Optional<byte[]> readBeside(String path) throws IOException {
		return read(this.catalog.createRelative(path));
	}

	/** Changes whenever one of the files read so far has changed. */
	String fingerprint() {
		return HexFormat.of().formatHex(this.digest.digest());
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

	private Optional<byte[]> read(Resource resource) throws IOException {
		try (InputStream input = resource.getInputStream()) {
			byte[] bytes = input.readNBytes(LARGEST + 1);
			this.digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
			this.digest.update(bytes);
			return (bytes.length <= LARGEST) ? Optional.of(bytes) : Optional.empty();
		}
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
