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
			"/warmup/actuator/warmup", "/actuator;a=%2f..%2f/warmup", "/actuator;a=%5c..%5c/warmup",
			"/actuator;a=%252f..%252f/warmup", "/actuator%3ba=%252f..%252f/warmup",
			"/actuator%253ba=%252f..%252f/warmup", "/actuator/warmup;x%0ay", "/actuator/warmup;x%250ay",
			"/actuator/warmup;x%0d%0a/", "/actuator/warmup%3fx/y", "/actuator/warmup%23x", "/.warmup/ready;x%0ay",
			"/.warmup/gateways/%2e%2e%2f%2e%2e", "/.warmup/gateways/../..", "/.warmup;a=%2f..%2f../ready",
			"/rooms;%2f..%2factuator%2fwarmup", "/rooms;/../actuator/warmup", "/actuator/%252e%252e/../warmup",
			"/%61ctuator/%2e%2e/../warmup", "/actuator/..;/../warmup", "/actuator/x/..;y/../..;/warmup",
			"/actuator//../warmup", "/actuator/;x/../warmup", "/actuator/%20/../warmup", "/actuator%20/warmup",
			"/actuator//x/../../warmup", "/shop%25zz/%2561ctuator/warmup", "/%2561ctuator/warmup;%25zz",
			"/%41ctuator/warmup", "/%252561ctuator/warmup", "/actuator/x/%252e%252e/warmup", "/actuator;a=b%2fwarmup",
			"/actuator%3bx/warmup" })
	void everySpellingOfTheLibrarysEndpointsIsClosed(String path) {
		assertThat(ClosedPathsFilter.isClosed(path)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/rooms", "/warmup", "/warmup/actuator", "/actuator", "/actuator/health",
			"/actuator/rooms/warmup", "/rooms/../warmup", "/orders/warmups", "/files/%zz", "/100%25", "/a.warmup",
			"/actuators/warmup", "/rooms;id=1", "/rooms;a=1;b=2/messages;page=3", "/rooms;a=b%2fc/warmup",
			"/warmup;x%0ay", "/actuator;a=b/health", "/actuator/rooms;a=b/warmup", "/rooms;actuator/warmup",
			"/rooms/..;/warmup", "/a%2fb/warmup", "/docs/%C3%A9t%C3%A9;v=1/warmup-guide" })
	void otherPathsAreTheApplications(String path) {
		assertThat(ClosedPathsFilter.isClosed(path)).isFalse();
	}

}
