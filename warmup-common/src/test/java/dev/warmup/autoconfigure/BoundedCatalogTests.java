package dev.warmup.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundedCatalogTests {

	@Test
	@Timeout(value = 60, unit = TimeUnit.SECONDS)
	void serverThatNeverAnswersDoesNotHoldTheReader() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			URL url = new URL("http", "127.0.0.1", silent.getLocalPort(), "/warmup-requests.yml");
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> new WarmupRunAutoConfiguration.BoundedUrlResource(url).getInputStream());
		}
	}

}
