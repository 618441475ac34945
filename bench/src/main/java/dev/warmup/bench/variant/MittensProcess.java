package dev.warmup.bench.variant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.bench.process.Command;

/** Mittens itself, as a process beside the service. */
final class MittensProcess implements Sidecar {

	private static final Duration READINESS_WAIT = Duration.ofSeconds(30);

	private static final Pattern ANSWER = Pattern.compile(" response\\t\\d+ ms\\t(\\d+)\\t");

	private static final Pattern ERROR = Pattern.compile("Error in request for ");

	private final Path binary;

	private final Path work;

	/**
	 * Creates the sidecar.
	 * @param binary the absolute path to mittens
	 * @param work a directory for what it writes
	 */
	MittensProcess(Path binary, Path work) {
		this.binary = binary;
		this.work = work;
	}

	@Override
	public String title() {
		return "mittens";
	}

	@Override
	public Optional<String> missing() {
		return Files.isExecutable(this.binary) ? Optional.empty()
				: Optional.of("MITTENS_BIN=%s is no program.".formatted(this.binary));
	}

	@Override
	public Effort warm(URI target, Schedule schedule, Map<String, String> headers, List<StaticRequest> requests) {
		try {
			Path directory = Files.createTempDirectory(Files.createDirectories(this.work), "mittens-");
			String log = new Command(directory, Map.of(), schedule.longest(TIMEOUT).plus(READINESS_WAIT))
				.run(command(target, schedule, headers, requests));
			if (!Files.exists(directory.resolve("ready"))) {
				throw new IllegalStateException("mittens ended, and did not call the service ready:\n" + log);
			}
			return sent(log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<String> command(URI target, Schedule schedule, Map<String, String> headers, List<StaticRequest> requests) {
		Stream<String> flags = Stream.of("-exit-after-warmup=true", "-file-probe-readiness-path=ready",
				"-target-http-host=http://" + target.getHost(), "-target-http-port=" + target.getPort(),
				"-target-readiness-http-host=http://" + target.getHost(), "-target-readiness-port=" + target.getPort(),
				"-target-readiness-http-path=/actuator/health/readiness",
				"-target-http-timeout-milliseconds=" + TIMEOUT.toMillis(), "-concurrency=" + schedule.workers(),
				"-request-delay-milliseconds=" + schedule.delay().toMillis(),
				"-max-readiness-wait-seconds=" + READINESS_WAIT.toSeconds(),
				"-max-warmup-seconds=" + schedule.length().toSeconds(),
				"-max-duration-seconds=" + READINESS_WAIT.plus(schedule.length()).toSeconds());
		Stream<String> named = headers.entrySet()
			.stream()
			.map((header) -> "-http-headers=" + header.getKey() + ":" + header.getValue());
		Stream<String> sent = requests.stream().map((request) -> "-http-requests=" + request.flag());
		return Stream.of(Stream.of(this.binary.toString()), flags, named, sent).flatMap((part) -> part).toList();
	}

	/**
	 * Counts what mittens tells of: a line for each answer with its status, and one for
	 * each request that was not answered.
	 * @param log what it printed
	 * @return what it sent
	 */
	static Effort sent(String log) {
		long unanswered = ERROR.matcher(log).results().count();
		long answered = ANSWER.matcher(log).results().count();
		long fine = ANSWER.matcher(log).results().filter((answer) -> answer.group(1).startsWith("2")).count();
		return new Effort(answered + unanswered, answered - fine + unanswered);
	}

}
