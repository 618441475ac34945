package dev.warmup.web;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What differs in a servlet service; classification is tested in the reactive one. */
@Timeout(60)
class ServletFilterTests {

	private static final String OWN = "instance=host:1; token=token-of-the-tests; run=r-1";

	private final MutableClock clock = new MutableClock();

	private final UserActivity users = new UserActivity(this.clock);

	private final WarmupServletFilter filter = new WarmupServletFilter(() -> "host:1",
			WarmupToken.of("token-of-the-tests"), this.users, new InternalPaths(List.of("/actuator")));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private int handled;

	private final FilterChain chain = (request, response) -> this.handled++;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/rooms             | instance=host:1; token=token-of-the-tests; run=r-1 | 200 | true  | false
			/rooms             | instance=host:2; run=r-1                           | 200 | true  | true
			/rooms             | instance=host:2; token=token-of-the-tests; run=r-1 | 421 | false | false
			/rooms             | instance=host:1; token=token-of-another; run=r-1   | 421 | false | false
			/rooms             | instance=host:1                                    | 200 | false | true
			/rooms             |                                                    | 200 | false | true
			/actuator/health   |                                                    | 200 | false | false
			/.warmup/gateways/g| instance=g; token=token-of-another; run=r-1        | 200 | false | false
			""")
	void requestsAreMarkedRejectedOrRecorded(String path, @Nullable String claim, int status, boolean marked,
			boolean user) throws ServletException, IOException {
		MockHttpServletRequest request = request(path);
		if (claim != null) {
			request.addHeader(WarmupClaim.HEADER, claim);
		}
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.response.getStatus()).isEqualTo(status);
		assertThat(this.handled).isEqualTo((status == 200) ? 1 : 0);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE) != null).isEqualTo(marked);
		assertThat(this.response.containsHeader(WarmupClaim.INSTANCE_HEADER)).isEqualTo(OWN.equals(claim));
		assertThat(this.users.lastUserRequest().isPresent()).isEqualTo(user);
	}

	@Test
	void userActivityIsRecordedFromBeginToEndAlsoOfARequestThatFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.filter.doFilter(request("/rooms"), this.response, (request, response) -> {
				assertThat(this.users.lastUserRequest()).hasValue(MutableClock.START);
				assertThat(this.users.inFlight()).isEqualTo(1);
				this.clock.advance(Duration.ofMinutes(1));
				throw new IllegalStateException("theirs");
			}));
		assertThat(this.users.lastUserRequest()).hasValue(MutableClock.START.plusSeconds(60));
		assertThat(this.users.inFlight()).isZero();
		assertThat(this.users.begun()).isEqualTo(1);
	}

	@Test
	void pathsCountWithinTheApplication() throws ServletException, IOException {
		MockHttpServletRequest request = request("/app/actuator/health");
		request.setContextPath("/app");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.users.lastUserRequest()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void startupProbeAnswersWhetherTheApplicationIsReady(boolean ready) throws ServletException, IOException {
		AtomicBoolean state = new AtomicBoolean(ready);
		new ReadyServletFilter(state::get).doFilter(request("/.warmup/ready"), this.response, this.chain);
		assertThat(this.response.getStatus()).isEqualTo(ready ? 200 : 503);
		assertThat(this.handled).isZero();
	}

	@Test
	void filtersComeAheadOfSpringSecurityAndTheStartupProbeAheadOfUserActivity() {
		assertThat(WarmupServletFilter.ORDER).isLessThan(-100).isGreaterThan(ReadyServletFilter.ORDER);
		assertThat(WarmupWebFilter.ORDER).isLessThan(-100).isGreaterThan(ReadyWebFilter.ORDER);
	}

	private static MockHttpServletRequest request(String path) {
		return new MockHttpServletRequest("GET", path);
	}

}
