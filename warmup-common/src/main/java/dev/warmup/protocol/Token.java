package dev.warmup.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a warm-up request proves its origin with: whoever sends it knows the random number
 * that an instance made for its run. The instance's state has only the hash of a token.
 */
public record Token(String value) {

	private static final Pattern SHAPE = Pattern.compile("[\\w-]{43}");

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	/**
	 * Takes a token from a header.
	 * @throws IllegalArgumentException if it is not 256 bits in base64url; the message
	 * does not contain it
	 */
	public Token {
		if (!SHAPE.matcher(value).matches()) {
			throw new IllegalArgumentException("A token has 43 characters of base64url");
		}
	}

	/** The SHA-256 of the token, in base64url. */
	public String hash() {
		try {
			return BASE64.encodeToString(
					MessageDigest.getInstance("SHA-256").digest(this.value.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	/** Without the token, which must not reach a log. */
	@Override
	public String toString() {
		return "Token(hidden)";
	}

	/** 256 random bits, made for one run, or the secret of services and gateways. */
	public static final class Secret {

		private static final String ALGORITHM = "HmacSHA256";

		private static final int BYTES = 32;

		private final SecretKeySpec key;

		public Secret(byte[] bits) {
			this.key = new SecretKeySpec(bits, ALGORITHM);
		}

		/** Generates a secret; may block once in a JVM, until the system has entropy. */
		public static Secret generate() {
			byte[] bits = new byte[BYTES];
			new SecureRandom().nextBytes(bits);
			return new Secret(bits);
		}

		/**
		 * The token for one gateway, the HMAC-SHA256 (RFC 2104) of its id, so that it
		 * proves nothing at another one.
		 */
		public Token forGateway(String gatewayId) {
			return sign(gatewayId);
		}

		Token sign(String text) {
			try {
				Mac mac = Mac.getInstance(ALGORITHM);
				mac.init(this.key);
				return new Token(BASE64.encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8))));
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException("Every JDK has HMAC-SHA256", ex);
			}
		}

	}

}
