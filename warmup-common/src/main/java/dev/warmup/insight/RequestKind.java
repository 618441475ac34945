package dev.warmup.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What requests have in common that run through the same code, as far as a gateway knows.
 * Holds nothing of a user: no query, no identifier, and no character that would break a
 * line of the log.
 *
 * @param method the method, or {@value #OTHER}
 * @param path the path as {@link #normalize} returns it
 */
record RequestKind(String method, String path) {

	/** Stands for every method that HTTP does not define, as anyone may invent some. */
	static final String OTHER = "OTHER";

	private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE");

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

	/** Stands for a segment. */
	static final String ID = "{id}";

	/** Stands for one segment or more. */
	static final String REST = "{rest}";

	private static final Pattern NORMALIZED = Pattern.compile("\\{(id|rest)}");

	static final int MAX_SEGMENTS = 8;

	static final int MAX_LENGTH = 40;

	private static final int ID_DIGITS = 3;

	private static final int TOKEN_LENGTH = 10;

	private static final int TOKEN_DIGITS = 2;

	private static final int HEX_LENGTH = 8;

	private static final int HEX_LENGTH_WITHOUT_DIGIT = 16;

	static RequestKind of(String method, String path) {
		return new RequestKind(METHODS.contains(method) ? method : OTHER, normalize(path));
	}

	@Override
	public String toString() {
		return this.method + " " + this.path;
	}

	/**
	 * The entry for a scenario's list of requests, in short form. Each normalized segment
	 * is a placeholder of its own, {@code {{id}}}, {@code {{id2}}} and so on: a service
	 * whose catalog defines no such variable or capture does not start, which is better
	 * than an identifier made up here.
	 * @return a line of YAML, or empty for a method that may change data
	 */
	Optional<String> catalogEntry() {
		if (!SAFE.contains(this.method)) {
			return Optional.empty();
		}
		List<String> placeholders = new ArrayList<>();
		String request = this.method + " " + NORMALIZED.matcher(this.path).replaceAll((match) -> {
			String number = placeholders.isEmpty() || match.group().equals(REST) ? "" : "" + (placeholders.size() + 1);
			placeholders.add("{{" + match.group(1) + number + "}}");
			return placeholders.get(placeholders.size() - 1);
		});
		String quoted = (request.indexOf(':') >= 0) ? "\"" + request + "\"" : request;
		String advice = placeholders.isEmpty() ? ""
				: " # fill in %s, or define it as a variable or capture".formatted(String.join(", ", placeholders));
		return Optional.of("- " + quoted + advice);
	}

	/**
	 * Normalizes a path: each segment that looks like an identifier becomes {@value #ID}.
	 * That is one
	 * <ul>
	 * <li>without a letter: numbers, dates;
	 * <li>with three digits or more: most UUIDs, hashes, Base64, and {@code order-1234};
	 * <li>of ten characters or more, with two digits;
	 * <li>of hexadecimal digits and hyphens only, from 8 characters on with a digit, from
	 * 16 on without;
	 * <li>of more than 40 characters;
	 * <li>with anything but ASCII letters, digits and {@code . _ ~ $ : -}: addresses,
	 * escaped text, control characters.
	 * </ul>
	 * Path parameters ({@code ;jsessionid=…}) and empty segments are left out, and what
	 * follows the eighth segment becomes {@value #REST}. A name that only its meaning
	 * makes an identifier, such as {@code /users/alice}, stays as it is.
	 * @param path the path as it was sent, without the query
	 * @return at most 8 segments of at most 40 characters each, and {@value #REST}
	 */
	static String normalize(String path) {
		StringBuilder template = new StringBuilder(Math.min(path.length(), MAX_SEGMENTS * (MAX_LENGTH + 1)) + 8);
		int segments = 0;
		for (int from = 0; from < path.length();) {
			int slash = path.indexOf('/', from);
			int end = (slash >= 0) ? slash : path.length();
			int until = from;
			while (until < end && path.charAt(until) != ';') { // not behind the segment
				until++;
			}
			if (until > from) {
				if (segments == MAX_SEGMENTS) {
					return template.append('/').append(REST).toString();
				}
				segments++;
				template.append('/');
				if (isIdentifier(path, from, until)) {
					template.append(ID);
				}
				else {
					template.append(path, from, until);
				}
			}
			from = end + 1;
		}
		return template.isEmpty() ? "/" : template.toString();
	}

	private static boolean isIdentifier(String path, int from, int until) {
		int length = until - from;
		if (length > MAX_LENGTH) {
			return true;
		}
		int letters = 0;
		int digits = 0;
		boolean hexadecimal = true;
		for (int i = from; i < until; i++) {
			char each = path.charAt(i);
			if (each >= '0' && each <= '9') {
				digits++;
			}
			else if ((each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z')) {
				letters++;
				hexadecimal &= each <= 'F' || (each >= 'a' && each <= 'f');
			}
			else if ("._~$:-".indexOf(each) >= 0) {
				hexadecimal &= each == '-';
			}
			else {
				return true;
			}
		}
		return letters == 0 || digits >= ID_DIGITS || (digits >= TOKEN_DIGITS && length >= TOKEN_LENGTH)
				|| (hexadecimal && length >= ((digits > 0) ? HEX_LENGTH : HEX_LENGTH_WITHOUT_DIGIT));
	}

}
