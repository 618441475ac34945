package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Stack;

/** Reads what {@code ./stack up} and the processes have told by themselves. */
final class Table {

	private static final Pattern ROW = Pattern.compile("(?m)^(\\S+) +(\\d+) +(\\d+) +\\d{4}-\\S+ \\S+ +(.+)$");

	private static final Pattern STARTED = Pattern.compile("(?m)^(\\S+) .* Started \\S+ in [\\d.]+ seconds.*$");

	private static final Pattern RUNNING = Pattern
		.compile("(?m) Started \\S+ in [\\d.]+ seconds \\(process running for ([\\d.]+)\\)");

	private Table() {
	}

	/**
	 * The processes of the table that {@code up} ends with. Asking for it again, by
	 * {@code ./stack status}, would send requests to processes that shall be cold.
	 * @param output what {@code up} printed
	 * @return the rows by process name
	 */
	static Map<String, Stack.Row> rows(String output) {
		Map<String, Stack.Row> rows = new TreeMap<>();
		Matcher row = ROW.matcher(output);
		while (row.find()) {
			rows.put(row.group(1),
					new Stack.Row(Long.parseLong(row.group(2)), Integer.parseInt(row.group(3)), row.group(4)));
		}
		return rows;
	}

	/**
	 * When Spring Boot called a process started, the last time.
	 * @param log the process's log
	 * @return the moment; empty when it has not
	 */
	static Optional<Instant> started(String log) {
		return STARTED.matcher(log)
			.results()
			.reduce((earlier, later) -> later)
			.map((line) -> OffsetDateTime.parse(line.group(1)).toInstant());
	}

	/**
	 * How long a process ran until Spring Boot called it started, the last time.
	 * @param log the process's log
	 * @return the time; empty when it has not
	 */
	static Optional<Duration> startTook(String log) {
		return RUNNING.matcher(log)
			.results()
			.reduce((earlier, later) -> later)
			.map((line) -> Duration.ofMillis(Math.round(Double.parseDouble(line.group(1)) * 1000)));
	}

}
