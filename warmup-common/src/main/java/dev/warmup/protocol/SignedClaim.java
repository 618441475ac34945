package dev.warmup.protocol;

import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.warmup.WarmupContext;

/**
 * The content of a claim's JSON Web Token, to be trusted only after the token's signature
 * was {@linkplain WarmupKey#verifies verified}.
 *
 * @param issuer the instance that signed it, as it names itself in discovery
 * @param subject the instance that is being warmed: the issuer, unless a gateway passes
 * the mark of a claim on
 * @param audience the one receiver: its instance id, or its service where the sender
 * cannot know the instance
 * @param scope the one purpose
 * @param runId the run
 * @param expiresAt when it ceases to be valid
 */
public record SignedClaim(String issuer, String subject, String audience, Scope scope, String runId,
		Instant expiresAt) {

	/** How long a token is valid at most. */
	public static final Duration LIFETIME = Duration.ofMinutes(2);

	/** By how much the clocks of sender and receiver may differ. */
	public static final Duration LEEWAY = Duration.ofSeconds(30);

	private static final String SCOPE = "scope";

	/**
	 * Reads a token, from anyone, without verifying its signature; empty for anything but
	 * a token that has all of it.
	 */
	public static Optional<SignedClaim> read(String jwt) {
		try {
			return of(SignedJWT.parse(jwt).getJWTClaimsSet());
		}
		catch (ParseException | RuntimeException ex) { // it may contain anything
			return Optional.empty();
		}
	}

	private static Optional<SignedClaim> of(JWTClaimsSet claims) throws ParseException {
		String issuer = claims.getIssuer();
		List<String> audience = claims.getAudience();
		String scope = claims.getStringClaim(SCOPE);
		Date expiry = claims.getExpirationTime();
		if (issuer == null || audience.size() != 1 || audience.get(0) == null || scope == null
				|| claims.getJWTID() == null || expiry == null) {
			return Optional.empty();
		}
		String subject = Optional.ofNullable(claims.getSubject()).orElse(issuer);
		return Scope.of(scope)
			.map((purpose) -> new SignedClaim(issuer, subject, audience.get(0), purpose, claims.getJWTID(),
					expiry.toInstant()));
	}

	JWTClaimsSet toClaimsSet() {
		JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder().issuer(this.issuer)
			.audience(this.audience)
			.claim(SCOPE, this.scope.value())
			.jwtID(this.runId)
			.expirationTime(Date.from(this.expiresAt));
		return (this.subject.equals(this.issuer) ? claims : claims.subject(this.subject)).build();
	}

	boolean isFor(Instance receiver) {
		return this.audience.equals(receiver.instanceId()) || this.audience.equalsIgnoreCase(receiver.service());
	}

	/** The mark this claim leaves on the work it asks for. */
	public WarmupContext toContext() {
		return new WarmupContext(this.subject, this.runId);
	}

	/**
	 * Whether it may be used at the receiver's time: a token that is valid for longer
	 * than {@link #LIFETIME} may not. Clocks may differ by 30 seconds.
	 */
	public boolean isValidAt(Instant now) {
		return now.isBefore(this.expiresAt.plus(LEEWAY)) && !this.expiresAt.isAfter(now.plus(LIFETIME).plus(LEEWAY));
	}

	/** The one purpose that a signed claim serves. */
	public enum Scope {

		/**
		 * To have a warm-up request pinned to the claimant, and its registration checked.
		 */
		REPLAY,

		/** To report a run. */
		REPORT,

		/** To deregister an instance that shuts down. */
		LEAVE,

		/** To request a run from a service. */
		ASK,

		/** To mark a call to another service as warm-up. */
		MARK;

		/** The scope as the claim contains it. */
		String value() {
			return name().toLowerCase(Locale.ROOT);
		}

		static Optional<Scope> of(String value) {
			return Arrays.stream(values()).filter((scope) -> scope.value().equals(value)).findFirst();
		}

	}

}
