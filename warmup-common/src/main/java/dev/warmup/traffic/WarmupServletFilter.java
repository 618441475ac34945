package dev.warmup.traffic;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UrlPathHelper;

/**
 * In a servlet service: marks warm-up requests for the application, names the instance in
 * their answers, and winds the idle clock for users' requests.
 */
public final class WarmupServletFilter extends OncePerRequestFilter {

	/** Ahead of Spring Security (-100), which may turn a request away unmarked. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final Supplier<String> instanceId;

	private final IdleClock idleClock;

	private final OwnTraffic ownTraffic;

	/**
	 * Creates the filter.
	 * @param instanceId the name of this instance in discovery, asked for at each warm-up
	 * request
	 * @param idleClock the clock to wind
	 * @param ownTraffic which paths are no user's
	 */
	public WarmupServletFilter(Supplier<String> instanceId, IdleClock idleClock, OwnTraffic ownTraffic) {
		this.instanceId = instanceId;
		this.idleClock = idleClock;
		this.ownTraffic = ownTraffic;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		Optional<WarmupContext> warmup = Optional.ofNullable(request.getHeader(WarmupClaim.HEADER))
			.flatMap(WarmupClaim::parse)
			.map(WarmupClaim::toContext);
		if (warmup.isPresent()) {
			request.setAttribute(WarmupContext.ATTRIBUTE, warmup.get());
			response.setHeader(WarmupClaim.INSTANCE_HEADER, this.instanceId.get());
			chain.doFilter(request, response);
		}
		else if (this.ownTraffic.covers(path)) {
			chain.doFilter(request, response);
		}
		else {
			this.idleClock.wind();
			try {
				chain.doFilter(request, response);
			}
			finally {
				this.idleClock.wind();
			}
		}
	}

}
