package dev.warmup.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.WarmupContext;

/**
 * The header {@value #HEADER} of a request: that it warms an instance, and in which run.
 * The shape is {@code instance=<id>; token=<secret>; run=<id>}; parameters of other names
 * are ignored, and of several of one name the first counts. Without a token it is a mark
 * that services pass on among themselves, and proves nothing.
 *
 * @param instanceId the instance that sent the request, as it names itself in discovery
 * @param token the secret that proves it
 * @param runId the run the request belongs to
 */
public record WarmupClaim(String instanceId, Optional<String> token, String runId) {

	/** Header that marks a request as warm-up. */
	public static final String HEADER = "X-Warmup";

	/** Header of the answer, in which a service names the instance that answered. */
	public static final String INSTANCE_HEADER = "X-Warmup-Instance";

	/**
	 * Header of the answer, in which a gateway names the service of a route that does not
	 * lead to the claimant's.
	 */
	public static final String SERVICE_HEADER = "X-Warmup-Service";

	/** Header of the answer, in which a gateway names itself to instances. */
	public static final String GATEWAY_HEADER = "X-Warmup-Gateway";

	private static final int MAX_LENGTH = 1024;

	private static final Pattern INSTANCE = Pattern.compile("(?:^|;) *instance=([\\w.:\\[\\]%@/-]{1,253}) *(?=;|$)");

	private static final Pattern TOKEN = Pattern.compile("(?:^|;) *token=([\\w-]{16,128}) *(?=;|$)");

	private static final Pattern RUN = Pattern.compile("(?:^|;) *run=([\\w-]{1,64}) *(?=;|$)");

	/**
	 * Reads a header value.
	 * @param header the value, from anyone
	 * @return the claim, or empty when the value is longer than 1024 characters, lacks a
	 * well-formed instance or run, or has a comma, by which proxies join several values
	 */
	public static Optional<WarmupClaim> parse(String header) {
		if (header.length() > MAX_LENGTH || header.indexOf(',') >= 0) {
			return Optional.empty();
		}
		return first(INSTANCE, header).flatMap(
				(instance) -> first(RUN, header).map((run) -> new WarmupClaim(instance, first(TOKEN, header), run)));
	}

	private static Optional<String> first(Pattern pattern, String header) {
		Matcher matcher = pattern.matcher(header);
		return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
	}

	/**
	 * Writes the header value.
	 * @return what {@link #parse} reads
	 */
	public String format() {
		String proof = this.token.map((secret) -> "token=" + secret + "; ").orElse("");
		return "instance=" + this.instanceId + "; " + proof + "run=" + this.runId;
	}

	/**
	 * The same claim as a mark that proves nothing.
	 * @return the claim without its token
	 */
	public WarmupClaim withoutToken() {
		return new WarmupClaim(this.instanceId, Optional.empty(), this.runId);
	}

	/**
	 * The mark as services pass it on among themselves.
	 * @param context the mark of the work at hand
	 * @return a claim without a token, to be written into the header of a call
	 */
	public static WarmupClaim mark(WarmupContext context) {
		return new WarmupClaim(context.instanceId(), Optional.empty(), context.runId());
	}

	/**
	 * The mark this claim leaves on the work it asks for.
	 * @return the same facts for application code
	 */
	public WarmupContext toContext() {
		return new WarmupContext(this.instanceId, this.runId);
	}

	/** Without the token, which must not reach a log. */
	@Override
	public String toString() {
		return withoutToken().format();
	}

}
