package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A stack with next to no processors still ends its run within its budget, with a verdict
 * that is true, whichever that is; and users are served.
 */
@Isolated("another stack would take of the processors that are counted out")
class ScarceProcessorsIT {

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private static final int USERS = 50;

	private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$");

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void allProcessesOnAFewCores(int count) throws IOException {
		List<String> cores = allowedCores();
		assumeThat(cores).as("cores that taskset could choose from").hasSizeGreaterThanOrEqualTo(count);
		try (Stack stack = Stacks.onCores("cores-" + count, String.join(",", cores.subList(0, count)))) {
			assertTrueVerdict(stack, "on %d core(s)".formatted(count));
		}
	}

	@Test
	void theServiceWithHalfAProcessor() throws IOException {
		Optional<Cgroup> created = Cgroup.create("warmup-e2e", 0.5);
		assumeThat(created).as("a cgroup for the quota, which takes root, and cgroups that are mounted to be written")
			.isPresent();
		try (Cgroup half = created.orElseThrow();
				Stack stack = Stacks.measured("half-a-processor",
						Map.of("JAVA_HOME", javaWithin(half).toString(), "WARMUP_CPU_MAX_SHARE", "0.9"))) {
			StartupRun run = assertTrueVerdict(stack, "with half a processor for the service");
			assertThat(half.throttled()).as("periods in which the quota held the service back").isPositive();
			assertThat(run.service().<List<String>>read("$.runs[*].findings[*]"))
				.anyMatch((finding) -> finding.contains("no more than 0.45 of 0.5 processors (warmup.cpu.max-share)"));
		}
	}

	private static StartupRun assertTrueVerdict(Stack stack, String how) {
		Outcome up = stack.run("up", "--detach");
		assertThat(up.exitCode()).as(up.output()).isIn(0, 3);
		StartupRun run = StartupRun.of(stack);
		Figures.tell("%s: %s in %.1f s, %.1f s of processor time, %s requests; %s; %s", how, run.verdict(),
				run.took().toMillis() / 1e3, run.cpu().toMillis() / 1e3, run.record().get("sent"), run.reason(),
				run.record().get("findings"));
		run.assertToldEverywhere(run.verdict().equals("WARM") ? "WARM" : "DEGRADED", "OPEN")
			.assertEndedWithin(BUDGET)
			.assertTrue();
		for (int i = 0; i < USERS; i++) {
			assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
			Answer signUp = Answer.toPost(stack.gateway("/chat-service/users"),
					"{\"email\": \"%s@example.org\", \"name\": \"Ann\"}".formatted(UUID.randomUUID()));
			assertThat(signUp.status()).isEqualTo(201);
		}
		return run;
	}

	/** A container may have been given others than the first. */
	private static List<String> allowedCores() throws IOException {
		Path status = Path.of("/proc/self/status");
		assumeThat(status).as("taskset is for Linux").exists();
		Matcher allowed = ALLOWED.matcher(Files.readString(status));
		assertThat(allowed.find()).isTrue();
		return Stream.of(allowed.group(1).split(",")).flatMap(ScarceProcessorsIT::expand).toList();
	}

	private static Stream<String> expand(String range) {
		String[] ends = range.split("-");
		return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
			.mapToObj(Integer::toString);
	}

	/**
	 * A {@code JAVA_HOME} whose {@code java} joins a cgroup before it becomes the JVM of
	 * a chat-service, which then sees the quota from its first moment on.
	 */
	private static Path javaWithin(Cgroup cgroup) throws IOException {
		Path home = Stacks.directory().resolve("java-within");
		Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
		Files.writeString(java, String.format(Locale.ROOT, """
				#!/bin/sh
				case "$*" in *chat-service*) echo $$ >'%s' || exit 1 ;; esac
				exec '%s/bin/java' "$@"
				""", cgroup.members(), System.getProperty("java.home")));
		assertThat(java.toFile().setExecutable(true)).isTrue();
		return home;
	}

}
