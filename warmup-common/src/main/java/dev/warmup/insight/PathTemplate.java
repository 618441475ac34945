package dev.warmup.insight;

/**
 * Folds paths: each segment that looks like an identifier becomes {@value #ID}. That is
 * one
 * <ul>
 * <li>without a letter: numbers, dates;
 * <li>with three digits or more: most UUIDs, hashes, Base64, and {@code order-1234};
 * <li>of ten characters or more, with two digits;
 * <li>of hexadecimal digits and hyphens only, from 8 characters on with a digit, from 16
 * on without;
 * <li>of more than 40 characters;
 * <li>with anything but ASCII letters, digits and {@code . _ ~ $ : -}: addresses, escaped
 * text, control characters.
 * </ul>
 * Path parameters ({@code ;jsessionid=…}) and empty segments are left out, and what
 * follows the eighth segment becomes {@value #REST}. A name that only its meaning makes
 * an identifier, such as {@code /users/alice}, stays as it is.
 */
final class PathTemplate {

	/** Stands for a segment. */
	static final String ID = "{id}";

	/** Stands for one segment or more. */
	static final String REST = "{rest}";

	static final int MAX_SEGMENTS = 8;

	static final int MAX_LENGTH = 40;

	private static final int ID_DIGITS = 3;

	private static final int TOKEN_LENGTH = 10;

	private static final int TOKEN_DIGITS = 2;

	private static final int HEX_LENGTH = 8;

	private static final int HEX_LENGTH_WITHOUT_DIGIT = 16;

	private PathTemplate() {
	}

	/**
	 * Folds a path.
	 * @param path the path as it was sent, without the query
	 * @return at most 8 segments of at most 40 characters each, and {@value #REST}
	 */
	static String of(String path) {
		StringBuilder template = new StringBuilder(Math.min(path.length(), MAX_SEGMENTS * (MAX_LENGTH + 1)) + 8);
		int segments = 0;
		for (int from = 0; from < path.length();) {
			int slash = path.indexOf('/', from);
			int end = (slash >= 0) ? slash : path.length();
			int parameters = path.indexOf(';', from);
			int until = (parameters >= 0) ? Math.min(parameters, end) : end;
			if (until > from) {
				if (segments == MAX_SEGMENTS) {
					return template.append('/').append(REST).toString();
				}
				segments++;
				append(template.append('/'), path, from, until);
			}
			from = end + 1;
		}
		return template.isEmpty() ? "/" : template.toString();
	}

	private static void append(StringBuilder template, String path, int from, int until) {
		if (isIdentifier(path, from, until)) {
			template.append(ID);
		}
		else {
			template.append(path, from, until);
		}
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
