package dev.warmup.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The secret by which an instance proves that a warm-up request is its own. It lives in
 * memory, travels in the header {@value WarmupClaim#HEADER}, and is never logged: only
 * its hash is published.
 */
public final class WarmupToken {

	/** Key of the instance's metadata in discovery under which the hash stands. */
	public static final String METADATA_KEY = "warmup-token-sha256";

	private static final int RANDOM_BYTES = 32;

	private static final Pattern SHAPE = Pattern.compile("[\\w-]{16,128}");

	private final String value;

	private WarmupToken(String value) {
		this.value = value;
	}

	/**
	 * Makes a new one.
	 * @return 256 random bits
	 */
	public static WarmupToken random() {
		byte[] bytes = new byte[RANDOM_BYTES];
		new SecureRandom().nextBytes(bytes);
		return new WarmupToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
	}

	/**
	 * Takes one that was agreed upon.
	 * @param value the token
	 * @return the token
	 * @throws IllegalArgumentException if it has other characters than letters, digits,
	 * {@code -} and {@code _}, or is shorter than 16 or longer than 128; the message does
	 * not contain the value
	 */
	public static WarmupToken of(String value) {
		if (!SHAPE.matcher(value).matches()) {
			throw new IllegalArgumentException("A token has 16 to 128 letters, digits, '-' and '_'");
		}
		return new WarmupToken(value);
	}

	/**
	 * Whether a token is the one that was published by its hash; takes constant time.
	 * @param token what is presented
	 * @param sha256 the hash as {@link #sha256()} writes it
	 * @return {@code true} if the hash is the token's
	 */
	public static boolean hasHash(String token, String sha256) {
		return MessageDigest.isEqual(hash(token).getBytes(StandardCharsets.US_ASCII),
				sha256.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Whether this is the token that is presented; takes constant time.
	 * @param token what is presented
	 * @return {@code true} if it is this one
	 */
	public boolean matches(String token) {
		return MessageDigest.isEqual(this.value.getBytes(StandardCharsets.UTF_8),
				token.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * The secret, to be put into the header.
	 * @return the token
	 */
	public String value() {
		return this.value;
	}

	/**
	 * What may be published.
	 * @return the SHA-256 of the token's characters in lower-case hexadecimal digits, as
	 * {@code sha256sum} prints it
	 */
	public String sha256() {
		return hash(this.value);
	}

	private static String hash(String token) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	@Override
	public String toString() {
		return "WarmupToken(hidden)";
	}

}
