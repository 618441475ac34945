package dev.warmup.web;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WarmupServletFilterTests {

	private static final WarmupToken TOKEN = WarmupToken.of("token-of-the-tests");

	private static final String OWN = "instance=host:1; token=token-of-the-tests; run=r-1";

	private final MutableClock clock = new MutableClock();

	private final UserActivity idleClock = new UserActivity(this.clock);

	private final WarmupServletFilter filter = new WarmupServletFilter(() -> "host:1", TOKEN, this.idleClock,
			new InternalPaths(List.of("/actuator")));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private int passed;

	private final FilterChain chain = (request, response) -> this.passed++;

	@Test
	void aWarmupRequestIsMarkedAnsweredByNameAndLeavesTheIdleClockAlone() throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.addHeader(WarmupClaim.HEADER, OWN);
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE)).isEqualTo(new WarmupContext("host:1", "r-1"));
		assertThat(this.response.getHeader(WarmupClaim.INSTANCE_HEADER)).isEqualTo("host:1");
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void aMarkIsHandedOnButWindsTheIdleClockAsItProvesNothing() throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.addHeader(WarmupClaim.HEADER, "instance=host:2; run=r-1");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE)).isEqualTo(new WarmupContext("host:2", "r-1"));
		assertThat(this.response.containsHeader(WarmupClaim.INSTANCE_HEADER)).isFalse();
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
	}

	@ParameterizedTest
	@ValueSource(strings = { "instance=host:2; token=token-of-the-tests; run=r-1",
			"instance=host:1; token=token-of-another; run=r-1" })
	void warmupOfAnotherIsTurnedAway(String claim) throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.addHeader(WarmupClaim.HEADER, claim);
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isZero();
		assertThat(this.response.getStatus()).isEqualTo(421);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE)).isNull();
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void severalClaimsAreAUsersRequest() throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.addHeader(WarmupClaim.HEADER, OWN);
		request.addHeader(WarmupClaim.HEADER, OWN);
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE)).isNull();
		assertThat(this.idleClock.lastUserRequest()).isPresent();
	}

	@Test
	void claimsToTheLibrarysOwnPathsAreJudgedThere() throws ServletException, IOException {
		MockHttpServletRequest request = request("/.warmup/gateways/gateway-1");
		request.addHeader(WarmupClaim.HEADER, "instance=gateway-1; token=token-of-another; run=r-1");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "true", "instance=a" })
	void aMalformedClaimIsAUsersRequest(String claim) throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.addHeader(WarmupClaim.HEADER, claim);
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE)).isNull();
		assertThat(this.response.containsHeader(WarmupClaim.INSTANCE_HEADER)).isFalse();
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
	}

	@Test
	void theIdleClockIsWoundAtBeginAndEndOfAUsersRequestAlsoIfItFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.filter.doFilter(request("/rooms"), this.response, (request, response) -> {
				assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
				assertThat(this.idleClock.inFlight()).isEqualTo(1);
				this.clock.advance(Duration.ofMinutes(1));
				throw new IllegalStateException("theirs");
			}));
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START.plusSeconds(60));
		assertThat(this.idleClock.inFlight()).isZero();
		assertThat(this.idleClock.begun()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator", "/actuator/health", "/.warmup/ready" })
	void theSystemsOwnRequestsAreNoUsers(String path) throws ServletException, IOException {
		this.filter.doFilter(request(path), this.response, this.chain);
		assertThat(this.passed).isEqualTo(1);
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void pathsCountWithinTheApplication() throws ServletException, IOException {
		MockHttpServletRequest request = request("/app/actuator/health");
		request.setContextPath("/app");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void itComesAheadOfSpringSecurity() {
		assertThat(WarmupServletFilter.ORDER).isLessThan(-100);
	}

	private static MockHttpServletRequest request(String path) {
		return new MockHttpServletRequest("GET", path);
	}

}
