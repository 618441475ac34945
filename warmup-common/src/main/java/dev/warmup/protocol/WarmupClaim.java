package dev.warmup.protocol;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.WarmupContext;

/**
 * The header {@value #HEADER} of a request: that it warms an instance, and in which run.
 * The shape is {@code instance=<id>; run=<id>; jwt=<compact JWS>}; parameters of other
 * names are ignored, and of several of one name the first counts. Without a token it
 * proves nothing.
 *
 * @param instanceId the instance that signed the token, as it names itself in discovery
 * @param jwt the token that proves it
 * @param runId the run the request belongs to
 */
public record WarmupClaim(String instanceId, Optional<String> jwt, String runId) {

	/** Header that marks a request as warm-up. */
	public static final String HEADER = "X-Warmup";

	/** Header of the answer, in which a service names the instance that answered. */
	public static final String INSTANCE_HEADER = "X-Warmup-Instance";

	/**
	 * Header of the answer, in which a gateway names the service of a route that does not
	 * lead to the claimant's.
	 */
	public static final String SERVICE_HEADER = "X-Warmup-Service";

	/**
	 * Header of a gateway's answer: how many others of the claimant's service take users.
	 */
	public static final String SIBLINGS_HEADER = "X-Warmup-Siblings";

	/**
	 * Header of a gateway's answer: for how many milliseconds the request waited for
	 * others that are warmed.
	 */
	public static final String QUEUED_HEADER = "X-Warmup-Queued";

	/** Header of the answer, in which a gateway names itself to instances. */
	public static final String GATEWAY_HEADER = "X-Warmup-Gateway";

	private static final int MAX_LENGTH = 4096;

	private static final Pattern INSTANCE = Pattern.compile("(?:^|;) *instance=([\\w.:\\[\\]%@/-]{1,253}) *(?=;|$)");

	private static final Pattern JWT = Pattern.compile("(?:^|;) *jwt=([\\w-]+\\.[\\w-]+\\.[\\w-]+) *(?=;|$)");

	private static final Pattern RUN = Pattern.compile("(?:^|;) *run=([\\w-]{1,64}) *(?=;|$)");

	/**
	 * Reads a header value, from anyone; empty when it is longer than 4096 characters,
	 * lacks a well-formed instance or run, or has a comma, by which proxies join several
	 * values.
	 */
	public static Optional<WarmupClaim> parse(String header) {
		if (header.length() > MAX_LENGTH || header.indexOf(',') >= 0) {
			return Optional.empty();
		}
		return first(INSTANCE, header)
			.flatMap((instance) -> first(RUN, header).map((run) -> new WarmupClaim(instance, first(JWT, header), run)));
	}

	/** Reads the values of a request's header; empty unless there is exactly one. */
	public static Optional<WarmupClaim> parse(List<String> headers) {
		return (headers.size() == 1) ? parse(headers.get(0)) : Optional.empty();
	}

	private static Optional<String> first(Pattern pattern, String header) {
		Matcher matcher = pattern.matcher(header);
		return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
	}

	/** The header value that {@link #parse(String)} reads. */
	public String format() {
		String proof = this.jwt.map((token) -> "; jwt=" + token).orElse("");
		return "instance=" + this.instanceId + "; run=" + this.runId + proof;
	}

	/**
	 * Reads the token, if it is meant for this purpose and receiver, this run, and the
	 * receiver's time. Its signature is not verified here.
	 */
	public Optional<SignedClaim> read(SignedClaim.Scope scope, Instance receiver, Instant now) {
		return this.jwt.flatMap(SignedClaim::read)
			.filter((content) -> content.issuer().equals(this.instanceId) && content.runId().equals(this.runId)
					&& content.scope() == scope && content.isFor(receiver) && content.isValidAt(now));
	}

	/** The mark this claim leaves on the work it asks for. */
	public WarmupContext toContext() {
		return new WarmupContext(this.instanceId, this.runId);
	}

	/** Without the token, which must not reach a log. */
	@Override
	public String toString() {
		return new WarmupClaim(this.instanceId, Optional.empty(), this.runId).format();
	}

}
