package dev.warmup.catalog;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Reads the text in which an answer's expected and captured values are found. */
public final class AnswerText {

	private AnswerText() {
	}

	/**
	 * Decodes an answer by the charset of its {@code Content-Type}, otherwise as UTF-8,
	 * without a byte order mark. A body in gzip is decompressed, whatever the headers.
	 * @param most how many bytes the decompressed body may have
	 * @return the text, or empty if the body is longer
	 */
	public static Optional<String> read(HttpHeaders headers, byte[] body, int most) {
		byte[] content = decompressed(body, most);
		return (content.length > most) ? Optional.empty()
				: Optional.of(new String(content, charset(headers)).replaceFirst("^\uFEFF", ""));
	}

	/** At most one byte too long; the body itself where it is not gzip, or broken. */
	private static byte[] decompressed(byte[] body, int most) {
		if (body.length < 2 || body[0] != 0x1F || body[1] != (byte) 0x8B) {
			return body;
		}
		try (GZIPInputStream input = new GZIPInputStream(new ByteArrayInputStream(body))) {
			return input.readNBytes(most + 1);
		}
		catch (IOException ex) {
			return body;
		}
	}

	private static Charset charset(HttpHeaders headers) {
		try {
			MediaType type = headers.getContentType();
			return (type == null || type.getCharset() == null) ? StandardCharsets.UTF_8 : type.getCharset();
		}
		catch (InvalidMediaTypeException ex) { // also of an unknown charset
			return StandardCharsets.UTF_8;
		}
	}

}
