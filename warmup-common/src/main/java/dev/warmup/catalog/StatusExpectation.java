package dev.warmup.catalog;

import java.util.List;

/**
 * The statuses that count as success.
 *
 * @param accepted exact statuses such as {@code 200} and classes such as {@code 2xx};
 * never empty
 */
public record StatusExpectation(List<String> accepted) {

	/** What a request expects that says nothing else. */
	public static final StatusExpectation SUCCESSFUL = new StatusExpectation(List.of("2xx"));

	/** Copies what it is given. */
	public StatusExpectation {
		accepted = List.copyOf(accepted);
	}

	/**
	 * Tells whether a status is as expected.
	 * @param status the answer's status
	 * @return {@code true} if one of the accepted ones covers it
	 */
	public boolean matches(int status) {
		return this.accepted.contains(String.valueOf(status)) || this.accepted.contains(status / 100 + "xx");
	}

	/** As an operator would say it: {@code 2xx}, or {@code 200 or 404}. */
	@Override
	public String toString() {
		return String.join(" or ", this.accepted);
	}

}
