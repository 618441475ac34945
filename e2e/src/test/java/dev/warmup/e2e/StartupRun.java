package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The run at the start of {@code chat-service-1}, as its own report, the gateway's fleet
 * and both logs have it; the last of them, where it was tried again.
 *
 * @param stack where it ran
 * @param service what the service says
 * @param record the run among it
 */
record StartupRun(Stack stack, Answer service, Map<String, Object> record) {

	/** The requests of a scenario's {@code finally}, 5 s each at most, and the report. */
	private static final Duration GRACE = Duration.ofSeconds(15);

	private static final Duration SOON = Duration.ofMinutes(3);

	private static final Pattern UNSTEADY = Pattern.compile("([\\w-]+) (?:still fell by|varied by|had \\d+ of the) ");

	private static final Pattern BUSY = Pattern
		.compile("(the compiler of \\S+ took \\d+ % of its processors|\\S+ loaded \\d+ classes a second)");

	/**
	 * Waits for its first answer, as the gateway tells it.
	 * @param stack which is just starting
	 */
	static void awaitBegin(Stack stack) {
		await().atMost(SOON).until(() -> {
			Answer gateway = stack.get("/actuator/warmup");
			return gateway.status() == 200 && gateway.<List<String>>read("$.fleet[*].phase").contains("WARMING");
		});
	}

	/**
	 * Asks for it.
	 * @param stack whose run has ended
	 * @return the run
	 */
	static StartupRun of(Stack stack) {
		Answer service = Answer.to("GET", stack.direct("chat-service-1", "/actuator/warmup"));
		return new StartupRun(stack, service,
				service.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP' && @.sent > 0)]").get(0));
	}

	String verdict() {
		return text("verdict");
	}

	String reason() {
		return (this.record.get("reason") instanceof String reason) ? reason : "";
	}

	Duration took() {
		return Duration.parse(text("took"));
	}

	Duration cpu() {
		return Duration.parse(text("cpu"));
	}

	private String text(String key) {
		return (String) this.record.get(key);
	}

	/** By its own word, and by the times at which others logged it. */
	StartupRun assertEndedWithin(Duration budget) {
		assertThat(Duration.parse(text("waited"))).isLessThanOrEqualTo(budget.plus(GRACE));
		assertThat(took()).isLessThanOrEqualTo(budget.plus(GRACE));
		assertThat(Duration.between(logged("WARMING"), logged(verdict() + " startup:")))
			.isLessThanOrEqualTo(budget.plus(GRACE));
		return this;
	}

	private Instant logged(String what) {
		String line = this.stack.log("gateway")
			.lines()
			.filter((each) -> each.contains("dev.warmup.status") && each.contains(" " + what))
			.reduce((earlier, later) -> later)
			.orElseThrow(() -> new AssertionError("the gateway did not log " + what));
		return OffsetDateTime.parse(line.substring(0, line.indexOf(' '))).toInstant();
	}

	/**
	 * The report, the fleet and both logs must not contradict one another, once all are
	 * told; while a run is tried again, they say so for a while.
	 */
	StartupRun assertToldEverywhere(String phase, String gate) {
		String warmup = this.stack.direct("chat-service-1", "/actuator/warmup");
		String fleet = "$.fleet[?(@.instanceId == '" + this.service.read("$.instanceId") + "')].phase";
		await().atMost(SOON).untilAsserted(() -> {
			Answer now = Answer.to("GET", warmup);
			assertThat(now.<String>read("$.phase")).isEqualTo(phase);
			assertThat(now.<String>read("$.gate")).isEqualTo(gate);
			assertThat(this.stack.get("/actuator/warmup").<List<String>>read(fleet)).containsExactly(phase);
		});
		for (String process : List.of("chat-service-1", "gateway")) {
			assertThat(this.stack.log(process).lines()).as(process)
				.anyMatch((line) -> line.contains(" " + verdict() + " startup: ") && line.contains(reason()));
		}
		return this;
	}

	/** Warm means all of it, and what was not reached is named, and nothing else. */
	StartupRun assertTrue() {
		assertThat(verdict()).isIn("WARM", "TIMED_OUT");
		assertThat(this.record).containsEntry("failed", 0);
		if (verdict().equals("WARM")) {
			assertThat(reason()).isEmpty();
			assertThat(named(true)).isNotEmpty();
			assertThat(named(false)).isEmpty();
			return this;
		}
		List<String> unsteady = UNSTEADY.matcher(reason()).results().map((found) -> found.group(1)).toList();
		assertThat(named(false)).as(reason()).containsAll(unsteady);
		if (named(false).isEmpty()) {
			assertThat(reason()).containsPattern(BUSY);
		}
		else {
			assertThat(unsteady).as(reason()).isNotEmpty();
		}
		return this;
	}

	private List<String> named(boolean steady) {
		return this.service
			.read("$.runs[?(@.id == '%s')].requests[?(@.steady == %s)].name".formatted(text("id"), steady));
	}

}
