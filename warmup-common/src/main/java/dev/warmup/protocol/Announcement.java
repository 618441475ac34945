package dev.warmup.protocol;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * What news of an instance has for its body, as JSON, where gateways have no registry.
 *
 * @param service the name of its service
 * @param address the base of its paths, with an IP address for its host
 */
public record Announcement(String service, URI address) {

	/** Header of news: the signature of its body. */
	public static final String SIGNATURE = "X-Warmup-Signature";

	/** The most bytes that are read of an announcement. */
	public static final int MAX_BYTES = 1024;

	/** Signs the body of news of an instance, for the minute of a time. */
	public static String sign(Token.Secret secret, String instanceId, byte[] body, Instant time) {
		long minute = Duration.between(Instant.EPOCH, time).toMinutes();
		String text = "%s\n%d\n%s".formatted(instanceId, minute, new String(body, StandardCharsets.ISO_8859_1));
		return secret.sign(text).value();
	}

	/** Whether a body was signed so within the minute of a time, or the one beside it. */
	public static boolean isSigned(Token.Secret secret, String instanceId, byte[] body, String signature,
			Instant time) {
		return Stream.of(time, time.minus(Duration.ofMinutes(1)), time.plus(Duration.ofMinutes(1)))
			.map((each) -> sign(secret, instanceId, body, each).getBytes(StandardCharsets.UTF_8))
			.anyMatch((each) -> MessageDigest.isEqual(each, signature.getBytes(StandardCharsets.UTF_8)));
	}

}
