package dev.warmup.bench.growth;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A catalog of as many requests as wanted, of equal work however many there are: five
 * kinds that alter nothing, each time with another id or page, answered by a list or by a
 * 404.
 */
public final class WideCatalog {

	/** So few that the smallest catalog has scenarios to replay side by side. */
	private static final int PER_SCENARIO = 5;

	/** Far beyond the ids that a stack hands out while it is measured. */
	private static final int NOBODY = 1_000_000;

	private static final List<Kind> KINDS = List.of(new Kind("/rooms?after=%d&limit=10", 200),
			new Kind("/rooms/%d", 404), new Kind("/users/%d", 404), new Kind("/rooms/%d/messages?limit=10", 404),
			new Kind("/rooms?limit=20&after=%d", 200));

	private WideCatalog() {
	}

	/**
	 * Writes the catalog for the chat-service.
	 * @param requests how many requests it has, at least 1
	 * @return its text, in YAML
	 */
	public static String of(int requests) {
		return IntStream.iterate(0, (first) -> first < requests, (first) -> first + PER_SCENARIO)
			.mapToObj((first) -> scenario(first, Math.min(first + PER_SCENARIO, requests)))
			.collect(Collectors.joining("", """
					version: 1
					defaults:
					  headers: { Accept: application/json }
					scenarios:
					""", ""));
	}

	private static String scenario(int first, int end) {
		return IntStream.range(first, end)
			.mapToObj((number) -> KINDS.get(number % KINDS.size()).request(number))
			.collect(Collectors.joining("", """
					  - name: from-%d
					    service: chat-service
					    requests:
					""".formatted(first), ""));
	}

	private record Kind(String path, int status) {

		String request(int number) {
			return """
					      - name: request-%d
					        path: /chat-service%s
					        expect: { status: %d }
					""".formatted(number, this.path.formatted(NOBODY + number), this.status);
		}

	}

}
