package dev.warmup.protocol;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@value #NAME} of a warm-up request:
 * {@code instance=<instance id>; token=<base64url>}.
 *
 * @param instanceId the instance that is warmed, by its name in discovery
 * @param token what proves that this instance sends the request
 */
public record WarmupHeader(String instanceId, Token token) {

	/** Header of a request: marks it as warm-up. */
	public static final String NAME = "X-Warmup";

	/** Header of an answer: the instance that answered its own warm-up request. */
	public static final String INSTANCE = "X-Warmup-Instance";

	/**
	 * Header of a gateway's answer to warm-up and to news: the gateway's instance id.
	 * Header of a request for a state: the instance id of who asks. Gateways remove it
	 * from all that they route.
	 */
	public static final String GATEWAY = "X-Warmup-Gateway";

	/**
	 * Header of a gateway's answer to warm-up: the service that the request's route leads
	 * to. An answer without it is the gateway's own.
	 */
	public static final String SERVICE = "X-Warmup-Service";

	/**
	 * Header of a gateway's answer 429 to warm-up: enough other warm-up is under way, and
	 * the request should be sent again. Any other 429 is an answer like others.
	 */
	public static final String ADMISSION = "X-Warmup-Admission";

	/** What an instance id consists of; a single path segment, encoded. */
	public static final Pattern INSTANCE_ID = Pattern.compile("(?!\\.{1,2}$)[\\w.:\\[\\]%@/-]{1,253}");

	private static final Pattern SHAPE = Pattern.compile("instance=([\\w.:\\[\\]%@/-]{1,253}); ?token=([\\w-]{43})");

	/**
	 * Reads the values of a request's header, from anyone; empty unless there is exactly
	 * one, of exactly that shape.
	 */
	public static Optional<WarmupHeader> parse(List<String> values) {
		if (values.size() != 1) {
			return Optional.empty();
		}
		Matcher matcher = SHAPE.matcher(values.get(0));
		return matcher.matches() ? Optional.of(new WarmupHeader(matcher.group(1), new Token(matcher.group(2))))
				: Optional.empty();
	}

	/** The header value that {@link #parse} reads. */
	public String format() {
		return "instance=" + this.instanceId + "; token=" + this.token.value();
	}

}
