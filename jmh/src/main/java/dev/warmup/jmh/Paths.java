package dev.warmup.jmh;

import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

/** What users and runs ask for. */
final class Paths {

	static final URI COVERED = URI.create("/chat-service/rooms/lobby");

	private static final URI UNCOVERED = URI.create("/chat-service/users/guest");

	/** More than the library has counters for, some times over. */
	private static final int MANY = 5000;

	private Paths() {
	}

	/**
	 * What users ask for, by turns.
	 * @param library tells what the catalog has of it
	 * @return one path or many
	 */
	static List<URI> of(Library library) {
		return switch (library) {
			case ABSENT, PRESENT -> List.of(COVERED);
			case UNCOVERED -> List.of(UNCOVERED);
			case MANY_KINDS -> IntStream.range(0, MANY).mapToObj(Paths::room).toList();
		};
	}

	/**
	 * Of letters only: digits would be taken for an identifier, and all rooms for one
	 * kind.
	 */
	private static URI room(int number) {
		String name = Integer.toString(number, 10)
			.chars()
			.map((digit) -> 'k' + digit - '0')
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		return URI.create("/chat-service/rooms/" + name);
	}

}
