package dev.warmup.web;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.DeferredResult;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What differs in a servlet service; classification is tested in the reactive one. */
class ServletFilterTests {

	private final MutableClock clock = new MutableClock();

	private final UserActivity users = new UserActivity(this.clock);

	private final WarmupServletFilter filter = new WarmupServletFilter(
			new ClaimCheck(() -> new Instance("chat", "host:1"), Claims.key("host:1"),
					(claim, scope) -> Mono.just(new ClaimVerifier.Verification.Verified(
							SignedClaim.read(claim.jwt().orElseThrow()).orElseThrow(), Optional.empty())),
					false, Clock.systemUTC()),
			this.users, () -> new InternalPaths(List.of("/actuator")));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private int handled;

	private List<String> headers = List.of();

	private final FilterChain chain = (request, response) -> {
		this.handled++;
		this.headers = Collections.list(((HttpServletRequest) request).getHeaderNames());
		assertThat(((HttpServletRequest) request).getHeader("x-warmup")).isNull();
		assertThat(((HttpServletRequest) request).getHeaders("x-warmup").hasMoreElements()).isFalse();
		assertThat(((HttpServletRequest) request).getIntHeader("x-warmup")).isEqualTo(-1);
		assertThat(((HttpServletRequest) request).getDateHeader("x-warmup")).isEqualTo(-1);
	};

	@ParameterizedTest
	@CsvSource({ "/rooms, own, 200, true, false", "/rooms, mark, 200, true, false",
			"/rooms, unsigned, 200, false, true", "/rooms, another's, 421, false, false",
			"/rooms, forged, 421, false, false", "/rooms, , 200, false, true",
			"/actuator/health, , 200, false, false" })
	void requestsAreMarkedRejectedOrRecorded(String path, @Nullable String kind, int status, boolean marked,
			boolean user) throws ServletException, IOException {
		MockHttpServletRequest request = request(path);
		request.addHeader("Accept", "*/*");
		if (kind != null) {
			request.addHeader("x-warmup", claim(kind));
		}
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.response.getStatus()).isEqualTo(status);
		assertThat(this.handled).isEqualTo((status == 200) ? 1 : 0);
		assertThat(this.headers).isEqualTo((status == 200) ? List.of("Accept") : List.of());
		assertThat(request.getAttribute(WarmupContext.ATTRIBUTE) != null).isEqualTo(marked);
		assertThat(this.response.containsHeader(WarmupClaim.INSTANCE_HEADER)).isEqualTo("own".equals(kind));
		assertThat(this.users.lastUserRequest().isPresent()).isEqualTo(user);
		assertThat(this.users.begun()).isEqualTo((user || "mark".equals(kind)) ? 1 : 0);
		assertThat(this.users.inFlight()).isZero();
	}

	@Test
	void theProofStaysWhereTheApplicationResetsItsResponse() throws ServletException, IOException {
		MockHttpServletRequest request = request("/export");
		request.addHeader(WarmupClaim.HEADER, claim("own"));
		this.filter.doFilter(request, this.response, (passed, response) -> response.reset());
		assertThat(this.response.getHeader(WarmupClaim.INSTANCE_HEADER)).isEqualTo("host:1");
	}

	private static String claim(String kind) {
		return switch (kind) {
			case "own" -> Claims.replay("host:1", "r-1");
			case "mark" -> Claims.key("orders-1").mark("orders-1", "chat", new WarmupContext("shop-1", "r-1")).format();
			case "unsigned" -> "instance=host:2; run=r-1";
			case "another's" -> Claims.replay("host:2", "r-1");
			default -> Claims.of("forger", "host:1", SignedClaim.Scope.REPLAY, "r-1");
		};
	}

	@ParameterizedTest
	@CsvSource({ "ERROR, false", "ERROR, true", "ASYNC, false" })
	void claimIsHiddenAlsoWhereTheContainerDispatchesAgain(DispatcherType type, boolean nested)
			throws ServletException, IOException {
		MockHttpServletRequest request = request("/error");
		request.addHeader(WarmupClaim.HEADER, claim("own"));
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
		assertThat(this.users.lastUserRequest()).isEmpty();
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

	@ParameterizedTest
	@ValueSource(strings = { "complete", "error, complete", "timeout, complete", "restart, complete" })
	void asynchronousRequestIsInFlightUntilItIsComplete(String events) throws ServletException, IOException {
		MockHttpServletRequest request = request("/rooms");
		request.setAsyncSupported(true);
		this.filter.doFilter(request, this.response, (passed, response) -> passed.startAsync());
		assertThat(this.users.inFlight()).isEqualTo(1);
		this.clock.advance(Duration.ofMinutes(1));
		for (String event : events.split(", ")) {
			MockAsyncContext async = Objects.requireNonNull((MockAsyncContext) request.getAsyncContext());
			AsyncEvent happened = new AsyncEvent(async);
			assertThat(async.getListeners()).hasSize(1);
			AsyncListener listener = async.getListeners().get(0);
			switch (event) {
				case "error" -> listener.onError(happened);
				case "timeout" -> listener.onTimeout(happened);
				case "restart" -> { // as the container does: for the new start, without
									// listeners
					async.getListeners().clear();
					listener.onStartAsync(happened);
					assertThat(this.users.inFlight()).isEqualTo(1);
				}
				default -> async.complete();
			}
		}
		assertThat(this.users.inFlight()).isZero();
		assertThat(this.users.begun()).isEqualTo(1);
		assertThat(this.users.lastUserRequest()).hasValue(MutableClock.START.plusSeconds(60));
	}

	@Test
	void asynchronousRequestIsInFlightWhenItsThreadHasReturned() {
		try (RunningApplication service = RunningApplication.service(Application.class, WebApplicationType.SERVLET)) {
			UserActivity activity = service.bean(UserActivity.class);
			assertThat(service.get("/held").body()).isEqualTo("1 in flight");
			await(() -> activity.inFlight() == 0);
			assertThat(activity.begun()).isEqualTo(1);
		}
	}

	@Test
	void filtersNeedNeitherEndpointsNorRunsWhileTheServerStarts() {
		try (RunningApplication service = RunningApplication.service(Application.class, WebApplicationType.SERVLET)) {
			assertThat(service.bean(Application.class).early).doesNotContain("healthEndpoint", "warmupEndpoint",
					"warmupRunner");
		}
	}

	/** Tomcat calls no filter where no servlet is mapped. */
	@Test
	void protocolIsServedBesideTheServletOfTheApplication() {
		try (RunningApplication service = RunningApplication.service(Application.class, WebApplicationType.SERVLET,
				"spring.mvc.servlet.path=/api")) {
			assertThat(service.get("/.warmup/ready").statusCode()).isIn(200, 503);
			assertThat(service.get("/.warmup/gateways/a").statusCode()).isEqualTo(404);
			assertThat(service.get("/other").statusCode()).isEqualTo(404);
		}
	}

	@Test
	void pathsCountWithinTheApplication() throws ServletException, IOException {
		MockHttpServletRequest request = request("/app/actuator/health");
		request.setContextPath("/app");
		this.filter.doFilter(request, this.response, this.chain);
		assertThat(this.users.lastUserRequest()).isEmpty();
	}

	@Test
	void currentMarkIsThatOfTheThreadsRequestUntilThatIsOver() {
		WarmupContext mark = new WarmupContext("host:1", "r-1");
		MockHttpServletRequest request = request("/rooms");
		ServletRequestAttributes attributes = new ServletRequestAttributes(request);
		RequestContextHolder.setRequestAttributes(attributes);
		try {
			assertThat(WarmupContext.current()).isEmpty();
			request.setAttribute(WarmupContext.ATTRIBUTE, mark);
			assertThat(WarmupContext.current()).contains(mark);
			attributes.requestCompleted();
			assertThat(WarmupContext.current()).isEmpty();
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	/** See {@code SECURITY.md}, and {@code docs/adopt.md} on an application's filters. */
	@Test
	void ordersAreTheDocumentedOnesInAServiceAndOneLaterInAGateway() {
		int documented = Ordered.HIGHEST_PRECEDENCE + 100;
		assertThat(List.of(WarmupServletFilter.ORDER, WarmupWebFilter.ORDER)).containsOnly(documented);
		assertThat(StrippingWebFilter.ORDER).isEqualTo(documented + 1);
		assertThat(List.of(ProtocolServletFilter.ORDER, ProtocolWebFilter.ORDER)).containsOnly(documented - 1);
	}

	private static MockHttpServletRequest request(String path) {
		return new MockHttpServletRequest("GET", path);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Application {

		private final DeferredResult<String> held = new DeferredResult<>();

		/** The beans there were when the server started. */
		private volatile Set<String> early = Set.of();

		@GetMapping("/held")
		DeferredResult<String> held() {
			return this.held;
		}

		@Bean
		ServletContextInitializer recorder(ConfigurableListableBeanFactory beans) {
			return (context) -> this.early = Set.of(beans.getSingletonNames());
		}

		/** Outside of the library's filters: answers once they have returned. */
		@Bean
		FilterRegistrationBean<Filter> answering(ObjectProvider<UserActivity> users) {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
				chain.doFilter(request, response);
				this.held.setResult(users.getObject().inFlight() + " in flight");
			});
			filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
			filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return filter;
		}

	}

}
