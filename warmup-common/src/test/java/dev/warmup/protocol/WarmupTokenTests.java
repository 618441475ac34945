package dev.warmup.protocol;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(60)
class WarmupTokenTests {

	@Test
	void aRandomTokenHas256BitsAndIsMadeOnce() {
		Set<String> tokens = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			WarmupToken token = WarmupToken.random();
			assertThat(token.value()).matches("[\\w-]{43}");
			tokens.add(token.value());
		}
		assertThat(tokens).hasSize(100);
	}

	/** The value is what {@code printf abcdefghijklmnop | sha256sum} prints. */
	@Test
	void theHashIsWhatSha256sumPrints() {
		assertThat(WarmupToken.of("abcdefghijklmnop").sha256())
			.isEqualTo("f39dac6cbaba535e2c207cd0cd8f154974223c848f727f98b3564cea569b41cf");
	}

	@Test
	void onlyTheTokenItselfMatches() {
		WarmupToken token = WarmupToken.of("abcdefghijklmnop");
		assertThat(token.matches("abcdefghijklmnop")).isTrue();
		assertThat(WarmupToken.hasHash("abcdefghijklmnop", token.sha256())).isTrue();
		for (String other : new String[] { "", "abcdefghijklmno", "abcdefghijklmnopq", "Abcdefghijklmnop",
				token.sha256() }) {
			assertThat(token.matches(other)).as(other).isFalse();
			assertThat(WarmupToken.hasHash(other, token.sha256())).as(other).isFalse();
		}
		assertThat(WarmupToken.hasHash("abcdefghijklmnop", "")).isFalse();
	}

	@Test
	void itIsNotPrinted() {
		assertThat(WarmupToken.of("abcdefghijklmnop")).hasToString("WarmupToken(hidden)");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "fifteen-letters", "sixteen letters ", "semi;colon;semi;colon", "line\nbreak-line-break" })
	void whatNoHeaderCouldCarryIsRefusedWithoutBeingTold(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> WarmupToken.of(value))
			.withMessage("A token has 16 to 128 letters, digits, '-' and '_'");
	}

}
