package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WarmupKeyTests {

	private static final String SECRET = "0123456789abcdef0123456789abcdef";

	private static final String RECEIVED = "'aud':'a'";

	private final MutableClock clock = new MutableClock();

	private final WarmupKey key = WarmupKey.generate(this.clock);

	@Test
	void aTokenNamesItsReceiverAndPurposeAndIsValidForTwoMinutes() {
		SignedClaim claim = SignedClaim.read(sign(this.key)).orElseThrow();
		assertThat(claim.issuer()).isEqualTo("orders-1");
		assertThat(claim.subject()).isEqualTo("orders-1");
		assertThat(claim.audience()).isEqualTo("gw-1");
		assertThat(claim.scope()).isEqualTo(SignedClaim.Scope.REPLAY);
		assertThat(claim.runId()).isEqualTo("run-1");
		Instant now = this.clock.instant();
		assertThat(claim.expiresAt()).isBetween(now.plusSeconds(119), now.plusSeconds(120));
		assertThat(claim.isValidAt(now)).isTrue();
		assertThat(claim.isValidAt(now.plus(SignedClaim.LIFETIME).plus(SignedClaim.LEEWAY))).isFalse();
		assertThat(claim.isValidAt(now.minusSeconds(60))).as("valid for longer than it may be").isFalse();
	}

	@Test
	void oldTokensAreNotKept() {
		for (int run = 0; run < 300; run++) {
			this.key.sign("orders-1", "orders-1", "gw-1", SignedClaim.Scope.REPLAY, "run-" + run);
			this.clock.advance(Duration.ofSeconds(20));
		}
		assertThat(this.key.size()).isBetween(1, 4);
		for (int run = 0; run < 1100; run++) { // within a moment
			assertThat(this.key.sign("orders-1", "orders-1", "gw-1", SignedClaim.Scope.REPLAY, "many-" + run))
				.isNotEmpty();
		}
		assertThat(this.key.size()).isEqualTo(1000);
	}

	@Test
	void aMarkNamesTheCallerTheInstanceThatIsWarmedAndTheServiceThatIsCalled() {
		WarmupClaim mark = this.key.mark("orders-1", "Chat", new WarmupContext("shop-1", "run-1"));
		SignedClaim claim = mark.jwt().flatMap(SignedClaim::read).orElseThrow();
		assertThat(claim.issuer()).isEqualTo("orders-1");
		assertThat(claim.subject()).isEqualTo("shop-1");
		assertThat(claim.audience()).isEqualTo("chat");
		assertThat(claim.toContext()).isEqualTo(new WarmupContext("shop-1", "run-1"));
	}

	@Test
	void whatWasPublishedVerifiesThisKeysTokensAndNoOthers() {
		WarmupKey published = WarmupKey.published(this.key.jwk().orElseThrow()).orElseThrow();
		assertThat(published.verifies(sign(this.key))).isTrue();
		assertThat(published.verifies(sign(WarmupKey.generate(this.clock)))).isFalse();
		assertThat(published.verifies(sign(WarmupKey.shared(SECRET, this.clock)))).isFalse();
		assertThat(published.verifies(tampered(sign(this.key)))).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> sign(published));
	}

	@Test
	void thePrivateKeyAndTheSecretAppearNowhere() {
		assertThat(this.key.jwk().orElseThrow()).contains("\"crv\":\"P-256\"").doesNotContain("\"d\"");
		WarmupKey shared = WarmupKey.shared(SECRET, this.clock);
		assertThat(shared.jwk()).isEmpty();
		assertThat(shared.toString() + this.key).doesNotContain(SECRET).isEqualTo("WarmupKey(HS256)WarmupKey(ES256)");
		assertThatIllegalArgumentException().isThrownBy(() -> WarmupKey.shared("too-short-secret", this.clock))
			.withMessageContaining("at least 32 bytes")
			.withMessageNotContaining("too-short-secret");
	}

	@Test
	void aTokenWithoutSignatureOrWithThePublicKeyAsSecretIsNotVerified() {
		JWTClaimsSet claims = SignedClaim.read(sign(this.key)).orElseThrow().toClaimsSet();
		String jwk = this.key.jwk().orElseThrow();
		assertThat(this.key.verifies(new PlainJWT(claims).serialize())).isFalse();
		assertThat(this.key.verifies(sign(WarmupKey.shared(jwk, this.clock)))).isFalse();
		assertThat(this.key.verifies("")).isFalse();
		assertThat(this.key.verifies("a.b.c")).isFalse();
	}

	@Test
	void aTokenIsRenewedEachMinuteAndWhenTheClockGoesBack() {
		String first = sign(this.key);
		this.clock.advance(Duration.ofSeconds(59));
		assertThat(sign(this.key)).isEqualTo(first);
		this.clock.advance(Duration.ofSeconds(2));
		String second = sign(this.key);
		assertThat(second).isNotEqualTo(first);
		this.clock.advance(Duration.ofHours(-1));
		assertThat(sign(this.key)).isNotEqualTo(second);
	}

	@Test
	void somethingElseThanAKeyIsNoKey() throws Exception {
		assertThat(WarmupKey.published("")).isEmpty();
		assertThat(WarmupKey.published("{}")).isEmpty();
		assertThat(WarmupKey.published(new ECKeyGenerator(Curve.P_384).generate().toPublicJWK().toJSONString()))
			.isEmpty();
		assertThat(SignedClaim.read(new PlainJWT(new JWTClaimsSet.Builder().build()).serialize())).isEmpty();
		assertThat(SignedClaim.read("no token")).isEqualTo(Optional.empty());
	}

	@ParameterizedTest
	@ValueSource(strings = { RECEIVED, "'aud':[null]", "'aud':[[]]", "'aud':{}", "'aud':[]", "'aud':null",
			"'aud':['a','b']", "'aud':'a','sub':[]", "'aud':'a','jti':7", "'aud':'a','exp':1e99",
			"'aud':'a','exp':'never'", "'aud':'a','scope':[null]", "'aud':'a','iss':null" })
	void aTokenIsReadForItsReceiverAndWhateverElseAStrangerSendsIsNoClaim(String content) {
		String json = "{'iss':'a','jti':'r','scope':'replay','exp':1,%s}".formatted(content).replace('\'', '"');
		WarmupClaim claim = new WarmupClaim("a", Optional.of(jwt(json)), "r");
		assertThat(claim.read(SignedClaim.Scope.REPLAY, new Instance("a", "a"), Instant.ofEpochSecond(0)).isPresent())
			.isEqualTo(content.equals(RECEIVED));
	}

	/** Not signed by anyone. */
	private static String jwt(String content) {
		return Stream.of("{\"alg\":\"ES256\"}", content, "x")
			.map((part) -> Base64.getUrlEncoder().withoutPadding().encodeToString(part.getBytes()))
			.collect(Collectors.joining("."));
	}

	private static String sign(WarmupKey key) {
		return key.sign("orders-1", "orders-1", "gw-1", SignedClaim.Scope.REPLAY, "run-1");
	}

	private static String tampered(String jwt) {
		String[] parts = jwt.split("\\.");
		String body = new String(Base64.getUrlDecoder().decode(parts[1])).replace("orders-1", "orders-2");
		return parts[0] + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(body.getBytes()) + "."
				+ parts[2];
	}

}
