package dev.warmup.web;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UrlPathHelper;

/**
 * In a servlet service: marks warm-up requests for the application, proves to its own who
 * answered, turns away another instance's with 421, and winds the idle clock for all that
 * is not proved to be warm-up.
 */
public final class WarmupServletFilter extends OncePerRequestFilter {

	/** Ahead of Spring Security (-100), which may turn a request away unmarked. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final Supplier<String> instanceId;

	private final WarmupToken token;

	private final UserActivity idleClock;

	private final InternalPaths ownTraffic;

	/**
	 * Creates the filter.
	 * @param instanceId the name of this instance in discovery, asked for at each warm-up
	 * request
	 * @param token the secret that warm-up of this instance carries
	 * @param idleClock the clock to wind
	 * @param ownTraffic which paths are no user's; claims to those of the library itself
	 * are left to whoever answers there
	 */
	public WarmupServletFilter(Supplier<String> instanceId, WarmupToken token, UserActivity idleClock,
			InternalPaths ownTraffic) {
		this.instanceId = instanceId;
		this.token = token;
		this.idleClock = idleClock;
		this.ownTraffic = ownTraffic;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		List<String> headers = Collections.list(request.getHeaders(WarmupClaim.HEADER));
		if (headers.isEmpty() || InternalPaths.isOfTheLibrary(path)) {
			timed(path, request, response, chain);
			return;
		}
		String self = this.instanceId.get();
		ClaimCheck recognition = ClaimCheck.of(headers, self, this.token);
		recognition.mark().ifPresent((mark) -> request.setAttribute(WarmupContext.ATTRIBUTE, mark));
		switch (recognition.kind()) {
			case OWN -> {
				response.setHeader(WarmupClaim.INSTANCE_HEADER, self);
				chain.doFilter(request, response);
			}
			case MISDIRECTED -> response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
			case MARKED, USER -> timed(path, request, response, chain);
		}
	}

	private void timed(String path, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (this.ownTraffic.covers(path)) {
			chain.doFilter(request, response);
			return;
		}
		this.idleClock.begin();
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.idleClock.end();
		}
	}

}
