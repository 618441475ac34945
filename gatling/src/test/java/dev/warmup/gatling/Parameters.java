package dev.warmup.gatling;

import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param users how many come
 * @param baseUrl where they enter: the gateway, without a slash at its end
 * @param over the time in which they come, evenly; zero means all at once
 */
record Parameters(int users, String baseUrl, Duration over) {

	/**
	 * Reads the command line.
	 * @param property tells the value of a property, {@code null} where it is not set
	 * @return what is asked for: 100 users, all at once, at {@code http://localhost:8000}
	 * where nothing else is said
	 * @throws IllegalArgumentException when a value cannot be used; the message is for
	 * the user
	 */
	static Parameters from(Function<String, @Nullable String> property) {
		return new Parameters(users(given(property, "users", "100")),
				baseUrl(given(property, "base-url", "http://localhost:8000")), over(given(property, "over", "0s")));
	}

	private static String given(Function<String, @Nullable String> property, String name, String otherwise) {
		String value = property.apply(name);
		return (value != null) ? value.strip() : otherwise;
	}

	// each has a connection, and towards one address a machine has some 28,000 ports
	private static int users(String value) {
		if (!value.matches("[1-9][0-9]{0,3}")) {
			throw refused("users", value, "a number from 1 to 9999");
		}
		return Integer.parseInt(value);
	}

	private static String baseUrl(String value) {
		if (!value.matches("(?i)https?://.+") || !isAddress(value)) {
			throw refused("base-url", value, "the gateway's address, such as http://localhost:8000");
		}
		return value.replaceFirst("/+$", "");
	}

	private static boolean isAddress(String value) {
		try {
			URI address = URI.create(value);
			return address.getHost() != null && address.getRawUserInfo() == null && address.getRawQuery() == null
					&& address.getRawFragment() == null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static Duration over(String value) {
		try {
			Duration over = Duration.parse("PT" + value);
			if (!over.isNegative()) {
				return over;
			}
		}
		catch (DateTimeParseException ex) {
			// said below, like a negative one
		}
		throw refused("over", value, "a time such as 10s or 1m30s");
	}

	private static IllegalArgumentException refused(String name, String value, String wanted) {
		return new IllegalArgumentException("-D%s=%s: must be %s".formatted(name, value, wanted));
	}

}
