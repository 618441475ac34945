package dev.warmup.catalog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerTextTests {

	private static final int MOST = 1000;

	private final HttpHeaders headers = new HttpHeaders();

	@ParameterizedTest
	@CsvSource({ "application/json;charset=EUC-KR, EUC-KR", "application/json; charset=\"utf-16\", UTF-16",
			"text/plain;charset=UTF-16LE, UTF-16LE", "application/json, UTF-8" })
	void answerIsReadInTheCharsetOfItsContentType(String contentType, String charset) {
		this.headers.set(HttpHeaders.CONTENT_TYPE, contentType);
		assertThat(read("{\"name\":\"한국\"}".getBytes(Charset.forName(charset)))).isEqualTo("{\"name\":\"한국\"}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json;charset=none", "no type" })
	void answerWithoutAUsableContentTypeIsReadAsUtf8(String contentType) {
		assertThat(read("ü".getBytes(StandardCharsets.UTF_8))).isEqualTo("ü");
		this.headers.set(HttpHeaders.CONTENT_TYPE, contentType);
		assertThat(read("ü".getBytes(StandardCharsets.UTF_8))).isEqualTo("ü");
	}

	@Test
	void byteOrderMarkIsSkipped() {
		assertThat(read("\uFEFF{\"id\":1}".getBytes(StandardCharsets.UTF_8))).isEqualTo("{\"id\":1}");
		this.headers.set(HttpHeaders.CONTENT_TYPE, "application/json;charset=UTF-16LE");
		assertThat(read("\uFEFF{\"id\":1}".getBytes(StandardCharsets.UTF_16LE))).isEqualTo("{\"id\":1}");
	}

	@Test
	void gzipIsDecompressedUpToTheLimit() throws IOException {
		assertThat(read(gzip("{\"id\":1}"))).isEqualTo("{\"id\":1}");
		assertThat(read(gzip("x".repeat(MOST)))).hasSize(MOST);
		assertThat(AnswerText.read(this.headers, gzip("x".repeat(100 * MOST)), MOST)).isEmpty();
		assertThat(AnswerText.read(this.headers, new byte[MOST + 1], MOST)).isEmpty();
	}

	@Test
	void brokenGzipIsReadAsItIsAndAnEmptyAnswerIsEmpty() throws IOException {
		assertThat(read(Arrays.copyOf(gzip("{\"id\":1}"), 15))).isNotBlank();
		assertThat(read(new byte[0])).isEmpty();
	}

	private String read(byte[] body) {
		return AnswerText.read(this.headers, body, MOST).orElseThrow();
	}

	private static byte[] gzip(String text) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream output = new GZIPOutputStream(bytes)) {
			output.write(text.getBytes(StandardCharsets.UTF_8));
		}
		return bytes.toByteArray();
	}

}
