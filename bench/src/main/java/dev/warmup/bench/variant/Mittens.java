package dev.warmup.bench.variant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.warmup.bench.stack.App;

import org.springframework.util.FileSystemUtils;

/**
 * <a href="https://github.com/ExpediaGroup/mittens">mittens</a> as a sidecar of one
 * service, with its defaults: for 30 s two workers each send a request every 500 ms,
 * chosen at random.
 */
final class Mittens {

	/**
	 * What can be requested without knowing any answer: users are numbered from 1, room 1
	 * is the lobby. By default mittens sends no Content-Type, so that the service refuses
	 * the POSTs.
	 */
	private static final List<String> REQUESTS = List.of(
			"post:/users:{\"email\":\"%s@warmup.invalid\",\"name\":\"Warm Up\"}".formatted(UUID.randomUUID()),
			"get:/users/1", "delete:/users/2", "get:/rooms", "post:/rooms:{\"name\":\"Warm-up\"}", "get:/rooms/1",
			"delete:/rooms/2", "put:/rooms/1/members/1",
			"post:/rooms/1/messages:{\"userId\":1,\"text\":\"Good morning\"}", "get:/rooms/1/messages?limit=1",
			"delete:/rooms/1/members/1");

	private Mittens() {
	}

	private static Path binary() {
		return Path.of(System.getenv().getOrDefault("MITTENS_BIN", "mittens")).toAbsolutePath();
	}

	static Optional<String> unavailable() {
		return Files.isExecutable(binary()) ? Optional.empty() : Optional.of("MITTENS_BIN does not name the program.");
	}

	/**
	 * Warms a service for 30 s. Blocks.
	 * @throws IllegalStateException when mittens fails, or does not report readiness
	 */
	static void warm(Site site, App service) {
		Path ready = site.work().resolve("mittens-ready");
		List<String> command = new ArrayList<>(List.of(binary().toString(), "-exit-after-warmup=true",
				"-file-probe-readiness-path=" + ready,
				"-file-probe-liveness-path=" + site.work().resolve("mittens-alive"),
				"-target-http-host=http://127.0.0.1", "-target-http-port=" + service.port(),
				"-target-readiness-http-host=http://127.0.0.1", "-target-readiness-port=" + service.managementPort(),
				"-target-readiness-http-path=/actuator/health/readiness", "-max-warmup-seconds=30",
				"-max-duration-seconds=60"));
		REQUESTS.forEach((request) -> command.add("-http-requests=" + request));
		FileSystemUtils.deleteRecursively(ready.toFile());
		site.run(Duration.ofMinutes(2), command);
		if (!Files.exists(ready)) {
			throw new IllegalStateException("mittens ended without reporting readiness");
		}
	}

}
