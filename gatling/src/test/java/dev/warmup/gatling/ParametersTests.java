package dev.warmup.gatling;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ParametersTests {

	@Test
	void withoutAWordAHundredUsersComeAtOnceToThisMachine() {
		assertThat(from(Map.of())).isEqualTo(new Parameters(100, "http://localhost:8000", Duration.ZERO));
	}

	@Test
	void eachCanBeGiven() {
		assertThat(from(Map.of("users", "9999", "base-url", "https://chat.example.org/entrance", "over", "1m30s")))
			.isEqualTo(new Parameters(9999, "https://chat.example.org/entrance", Duration.ofSeconds(90)));
	}

	@Test
	void blanksAroundAValueAndSlashesAfterTheAddressAreNoPartOfThem() {
		assertThat(from(Map.of("users", " 7 ", "base-url", " http://[::1]:8000// ", "over", " 0.5s ")))
			.isEqualTo(new Parameters(7, "http://[::1]:8000", Duration.ofMillis(500)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "-1", "007", "10000", "99999999999", "1.5", "many" })
	void usersMustBeANumberThatOneMachineCanPlay(String users) {
		assertThatIllegalArgumentException().isThrownBy(() -> from(Map.of("users", users)))
			.withMessage("-Dusers=%s: must be a number from 1 to 9999", users);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost:8000", "ftp://localhost", "http://", "http://local host", "http://:8000",
			"http://user:word@localhost", "http://localhost/?a=b", "http://localhost/#a" })
	void theAddressMustBeOneThatPathsCanBeAppendedTo(String address) {
		assertThatIllegalArgumentException().isThrownBy(() -> from(Map.of("base-url", address)))
			.withMessage("-Dbase-url=%s: must be the gateway's address, such as http://localhost:8000", address);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "10", "-1s", "PT10S", "soon" })
	void theTimeMustHaveAUnitAndAPositiveSign(String over) {
		assertThatIllegalArgumentException().isThrownBy(() -> from(Map.of("over", over)))
			.withMessage("-Dover=%s: must be a time such as 10s or 1m30s", over);
	}

	private static Parameters from(Map<String, String> properties) {
		return Parameters.from(properties::get);
	}

}
