package dev.warmup.protocol;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import dev.warmup.WarmupContext;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

/**
 * The key by which claims are signed and verified (JSON Web Signature, RFC 7515). Each
 * instance generates one for ES256, whose private half never leaves memory and whose
 * public half it publishes in discovery under {@value #METADATA_KEY}. Where there is no
 * discovery, services and gateways share a secret for HS256. Thread-safe.
 */
public final class WarmupKey {

	/** Key of the instance's metadata in discovery: the public key as a JWK. */
	public static final String METADATA_KEY = "warmup-jwk";

	/** What HS256 needs: 256 bits. */
	public static final int MIN_SECRET_BYTES = 32;

	private static final int MAX_VERIFIED = 100;

	/** Beyond that, a token is signed for each use. */
	private static final int MAX_SIGNED = 1000;

	private final JWSAlgorithm algorithm;

	private final JWSVerifier verifier;

	private final @Nullable JWSSigner signer;

	private final Optional<String> jwk;

	private final Clock clock;

	/** The tokens that were made within this minute, by their content. */
	private final Map<SignedClaim, String> signed = new ConcurrentHashMap<>();

	/** The tokens whose signature was verified. */
	private final ConcurrentLruCache<String, Boolean> verified = new ConcurrentLruCache<>(MAX_VERIFIED, this::verify);

	private WarmupKey(JWSAlgorithm algorithm, JWSVerifier verifier, @Nullable JWSSigner signer, Optional<String> jwk,
			Clock clock) {
		this.algorithm = algorithm;
		this.verifier = verifier;
		this.signer = signer;
		this.jwk = jwk;
		this.clock = clock;
	}

	/** Generates a key pair on the curve P-256; the clock dates the tokens. */
	public static WarmupKey generate(Clock clock) {
		try {
			ECKey pair = new ECKeyGenerator(Curve.P_256).generate();
			ECDSASigner signer = new ECDSASigner(pair);
			signer.getJCAContext().setSecureRandom(nonBlockingRandom());
			return new WarmupKey(JWSAlgorithm.ES256, new ECDSAVerifier(pair), signer,
					Optional.of(pair.toPublicJWK().toJSONString()), clock);
		}
		catch (JOSEException ex) {
			throw new IllegalStateException("Every JDK has the curve P-256", ex);
		}
	}

	/**
	 * Reads the system's entropy now, and not at each signature, as the default does:
	 * claims are signed on threads that must not block.
	 */
	private static SecureRandom nonBlockingRandom() {
		SecureRandom random;
		try {
			random = SecureRandom.getInstance("DRBG");
		}
		catch (NoSuchAlgorithmException ex) {
			random = new SecureRandom(); // a JVM with other providers than the JDK's
		}
		random.nextInt();
		return random;
	}

	/**
	 * Takes the secret that services and gateways share; the clock dates the tokens.
	 * @throws IllegalArgumentException if the secret is shorter than
	 * {@value #MIN_SECRET_BYTES} bytes; the message does not contain it
	 */
	public static WarmupKey shared(String secret, Clock clock) {
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		if (bytes.length < MIN_SECRET_BYTES) {
			throw new IllegalArgumentException(
					"A shared secret must have at least %d bytes, such as one from openssl rand -base64 32"
						.formatted(MIN_SECRET_BYTES));
		}
		try {
			return new WarmupKey(JWSAlgorithm.HS256, new MACVerifier(bytes), new MACSigner(bytes), Optional.empty(),
					clock);
		}
		catch (JOSEException ex) {
			throw new IllegalStateException("The secret is long enough for HS256", ex);
		}
	}

	/**
	 * The key that an instance published, to verify its claims; empty for anything but a
	 * key on the curve P-256.
	 */
	public static Optional<WarmupKey> published(String jwk) {
		try {
			return Optional
				.of(new WarmupKey(JWSAlgorithm.ES256, new ECDSAVerifier(ECKey.parse(jwk)), null, Optional.of(jwk),
						Clock.systemUTC()))
				.filter((key) -> key.verifier.supportedJWSAlgorithms().contains(JWSAlgorithm.ES256));
		}
		catch (ParseException | JOSEException | IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** The public key as a JWK, which may be published; empty for a shared secret. */
	public Optional<String> jwk() {
		return this.jwk;
	}

	/** Makes a signed claim of an instance for one receiver, to be sent at once. */
	public WarmupClaim claim(String instanceId, String audience, SignedClaim.Scope scope, String runId) {
		return new WarmupClaim(instanceId, Optional.of(sign(instanceId, instanceId, audience, scope, runId)), runId);
	}

	/** Makes the signed mark of an instance's call to a service, to be sent at once. */
	public WarmupClaim mark(String issuer, String service, WarmupContext context) {
		String audience = service.toLowerCase(Locale.ROOT);
		return new WarmupClaim(issuer,
				Optional.of(sign(issuer, context.instanceId(), audience, SignedClaim.Scope.MARK, context.runId())),
				context.runId());
	}

	/**
	 * Signs a claim, valid for one to two minutes: the same claim gets the same token
	 * within a minute.
	 * @throws IllegalStateException if this is another instance's published key
	 */
	String sign(String issuer, String subject, String audience, SignedClaim.Scope scope, String runId) {
		Instant expiry = this.clock.instant().truncatedTo(ChronoUnit.MINUTES).plus(SignedClaim.LIFETIME);
		SignedClaim claim = new SignedClaim(issuer, subject, audience, scope, runId, expiry);
		String token = this.signed.get(claim);
		if (token == null) {
			this.signed.keySet().removeIf((each) -> !each.expiresAt().equals(expiry));
			token = (this.signed.size() < MAX_SIGNED) ? this.signed.computeIfAbsent(claim, this::sign) : sign(claim);
		}
		return token;
	}

	/** How many tokens of its own it holds in memory. */
	int size() {
		return this.signed.size();
	}

	private String sign(SignedClaim claim) {
		if (this.signer == null) {
			throw new IllegalStateException("A published key verifies, and does not sign");
		}
		try {
			SignedJWT token = new SignedJWT(new JWSHeader(this.algorithm), claim.toClaimsSet());
			token.sign(this.signer);
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException("A claim could not be signed", ex);
		}
	}

	/**
	 * Whether a token was signed by this key, with the algorithm that belongs to it. Who
	 * may use the token, for what, and when is not part of this. A token is verified
	 * once, and then looked up.
	 */
	public boolean verifies(String jwt) {
		boolean genuine = this.verified.get(jwt);
		if (!genuine) {
			this.verified.remove(jwt); // forged ones must not displace the genuine
		}
		return genuine;
	}

	/** Whether a token was verified before, so that verifying it again costs nothing. */
	public boolean hasVerified(String jwt) {
		return this.verified.contains(jwt);
	}

	private boolean verify(String jwt) {
		try {
			SignedJWT token = SignedJWT.parse(jwt);
			return this.algorithm.equals(token.getHeader().getAlgorithm()) && token.verify(this.verifier);
		}
		catch (ParseException | JOSEException ex) {
			return false;
		}
	}

	/** Without the key. */
	@Override
	public String toString() {
		return "WarmupKey(" + this.algorithm + ")";
	}

}
