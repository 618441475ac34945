package dev.warmup.traffic;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the header {@value #HEADER} says of a request: that it warms an instance, and in
 * which run. The shape is {@code instance=<id>; run=<id>}; parameters of other names are
 * passed over.
 *
 * @param instanceId the instance that sent the request, as it names itself in discovery
 * @param runId the run the request belongs to
 */
public record WarmupClaim(String instanceId, String runId) {

	/** Header that marks a request as warm-up. */
	public static final String HEADER = "X-Warmup";

	/** Header of the answer, in which a service names the instance that answered. */
	public static final String INSTANCE_HEADER = "X-Warmup-Instance";

	private static final int MAX_LENGTH = 1024;

	private static final Pattern INSTANCE = Pattern.compile("(?:^|;) *instance=([\\w.:\\[\\]%@/-]{1,253}) *(?=;|$)");

	private static final Pattern RUN = Pattern.compile("(?:^|;) *run=([\\w-]{1,64}) *(?=;|$)");

	/**
	 * Reads a header value.
	 * @param header the value, from anyone
	 * @return the claim, or empty when the value is longer than 1024 characters or lacks
	 * a well-formed instance or run
	 */
	public static Optional<WarmupClaim> parse(String header) {
		if (header.length() > MAX_LENGTH) {
			return Optional.empty();
		}
		return first(INSTANCE, header)
			.flatMap((instance) -> first(RUN, header).map((run) -> new WarmupClaim(instance, run)));
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
		return "instance=" + this.instanceId + "; run=" + this.runId;
	}

	/**
	 * The mark this claim leaves on the work it asks for.
	 * @return the same facts for application code
	 */
	public WarmupContext toContext() {
		return new WarmupContext(this.instanceId, this.runId);
	}

}
