package dev.warmup.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.WarmupHeader;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** What differs in a servlet application. */
class ServletFilterTests {

	private final UserActivity users = new UserActivity(new MutableClock());

	private final OwnState state = Runs.state(new Gate(true, (event) -> {
	}), true);

	private final String own = Runs.begin(this.state);

	private final WarmupServletFilter filter = new WarmupServletFilter(
			new WarmupRequests(WarmupRequests.Role.SERVICE, new Gate(true, (event) -> {
			}), this.state, () -> new WantedRuns() {
			}, () -> new InternalPaths(List.of("/actuator"))), this.users);

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private int handled;

	private List<String> headers = List.of();

	private Optional<WarmupContext> mark = Optional.empty();

	private final FilterChain chain = (request, response) -> {
		this.handled++;
		this.mark = WarmupContext.current();
		this.headers = Collections.list(((HttpServletRequest) request).getHeaderNames());
		assertThat(((HttpServletRequest) request).getHeader("x-warmup")).isNull();
		assertThat(((HttpServletRequest) request).getHeaders("x-warmup").hasMoreElements()).isFalse();
	};

	@ParameterizedTest
	@CsvSource({ "/rooms, own, 200, true, false", "/rooms, malformed, 200, false, true",
			"/rooms, forged, 200, false, true", "/rooms, another's, 421, false, false", "/rooms, , 200, false, true",
			"/actuator/health, , 200, false, false" })
	void requestsAreMarkedRejectedOrRecorded(String path, @Nullable String kind, int status, boolean marked,
			boolean user) throws ServletException, IOException {
		MockHttpServletRequest request = request(path);
		request.addHeader("Accept", "*/*");
		if (kind != null) {
			request.addHeader("x-warmup", header(kind));
		}
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.response.getStatus()).isEqualTo(status);
		assertThat(this.handled).isEqualTo((status == 200) ? 1 : 0);
		assertThat(this.headers).isEqualTo((status == 200) ? List.of("Accept") : List.of());
		assertThat(this.mark.isPresent()).isEqualTo(marked);
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE) != null).isEqualTo(marked);
		assertThat(this.response.containsHeader(WarmupHeader.INSTANCE)).isEqualTo(marked);
		assertThat(this.users.last().isPresent()).isEqualTo(user);
		assertThat(WarmupContext.current()).as("afterwards").isEmpty();
	}

	private String header(String kind) {
		String anothers = Token.Secret.generate().forGateway("gw-1").value();
		return switch (kind) {
			case "own" -> this.own;
			case "forged" -> "instance=host:1; token=" + anothers;
			case "another's" -> "instance=host:2; token=" + anothers;
			default -> "true";
		};
	}

	@Test
	void theProofStaysWhereTheApplicationResetsItsResponse() throws ServletException, IOException {
		MockHttpServletRequest request = request("/export");
		request.addHeader(WarmupHeader.NAME, this.own);
		this.filter.doFilter(request, this.response, (passed, response) -> response.reset());
		assertThat(this.response.getHeader(WarmupHeader.INSTANCE)).isEqualTo("host:1");
	}

	@ParameterizedTest
	@CsvSource({ "ERROR, false", "ERROR, true", "ASYNC, false" })
	void headerIsHiddenAlsoWhereTheContainerDispatchesAgain(DispatcherType type, boolean nested)
			throws ServletException, IOException {
		MockHttpServletRequest request = request("/error");
		request.addHeader(WarmupHeader.NAME, this.own);
		FilterChain dispatching = (passed, response) -> {
			request.setDispatcherType(type);
			request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, (type == DispatcherType.ERROR) ? "/rooms" : null);
			this.filter.doFilter(request, response, this.chain);
		};
		if (nested) {
			this.filter.doFilter(request, this.response, dispatching);
		}
		else {
			dispatching.doFilter(request, this.response);
		}
		assertThat(this.handled).isEqualTo(1);
		assertThat(this.headers).isEmpty();
		assertThat(this.users.last()).isEmpty();
	}

	@Test
	void theMarkFollowsAnAsynchronousDispatch() throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.setDispatcherType(DispatcherType.ASYNC);
		request.setAttribute(WarmupContext.ATTRIBUTE, new WarmupContext("host:1", "r-1"));
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.mark).contains(new WarmupContext("host:1", "r-1"));
		assertThat(WarmupContext.current()).isEmpty();
	}

	@Test
	void stateAndReadinessAreAnsweredBelowTheContextPath() throws ServletException, IOException {
		MockHttpServletRequest request = request("/shop/.warmup/state");
		request.setContextPath("/shop");
		request.addParameter("gateway", "gw-1");
		request.addHeader(WarmupHeader.GATEWAY, "gw-1");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(InstanceState.fromJson(this.response.getContentAsString().getBytes(StandardCharsets.UTF_8)))
			.returns(Runs.SELF, InstanceState::instance);
		MockHttpServletResponse probe = new MockHttpServletResponse();
		this.filter.doFilter(request("/.warmup/ready"), probe, this.chain);
		assertThat(probe.getStatus()).isEqualTo(503);
		assertThat(this.handled).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/.warmup/state", "/.warmup/ready/", "//.warmup/ready", "/.warmup/ready;a=b",
			"/.warmup/%72eady" })
	void othersGetNoState(String path) throws ServletException, IOException {
		this.filter.doFilter(request(path), this.response, this.chain);
		assertThat(this.response.getStatus()).isEqualTo(path.equals("/.warmup/state") ? 404 : 200);
		assertThat(this.handled).isEqualTo(path.equals("/.warmup/state") ? 0 : 1);
	}

	private static MockHttpServletRequest request(String path) {
		return new MockHttpServletRequest("GET", path);
	}

}
