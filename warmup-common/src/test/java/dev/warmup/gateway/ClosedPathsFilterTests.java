package dev.warmup.gateway;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClosedPathsFilterTests {

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/warmup", "//actuator/warmup", "/actuator//warmup", "/actuator/warmup/",
			"/shop/actuator/warmup", "/;x/actuator/warmup", "/actuator;a=b/warmup;c", "/%61ctuator/warmup",
			"/actuator%2fwarmup", "/actuator%2Fwarmup", "/%2561ctuator/warmup", "/./actuator/./warmup",
			"/actuator/x/../warmup", "/actuator/x/%2e%2e/warmup", "/actuator/x/..;/warmup", "/ACTUATOR/Warmup",
			"/actuator/warm%75p", "/actuator%5cwarmup", "/actuator/%77%61%72%6d%75%70", "/.warmup/ready",
			"//.warmup/ready", "/%2ewarmup/ready", "/.warmup;x/ready", "/shop/.warmup/gateways/g", "/.WARMUP/runs/r",
			"/warmup/actuator/warmup" })
	void everySpellingOfTheLibrarysEndpointsIsClosed(String path) {
		assertThat(ClosedPathsFilter.isClosed(path)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/rooms", "/warmup", "/warmup/actuator", "/actuator", "/actuator/health",
			"/actuator/rooms/warmup", "/actuator/../warmup", "/orders/warmups", "/files/%zz", "/100%25", "/a.warmup",
			"/actuators/warmup" })
	void otherPathsAreTheApplications(String path) {
		assertThat(ClosedPathsFilter.isClosed(path)).isFalse();
	}

}
