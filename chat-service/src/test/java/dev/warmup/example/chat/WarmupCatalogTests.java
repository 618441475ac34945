package dev.warmup.example.chat;

import dev.warmup.test.WarmupCatalogs;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

/** The catalog is true: each of its requests is answered as it expects. */
@ChatTest
class WarmupCatalogTests {

	@Test
	void theServiceAnswersItsCatalogAsExpected(@LocalServerPort int port) {
		WarmupCatalogs.verify("classpath:warmup-requests.yml", port);
	}

}
