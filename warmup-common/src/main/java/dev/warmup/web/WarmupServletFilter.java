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
 * In a servlet service: marks warm-up requests for the application, names this instance
 * in the response to its own, rejects another instance's with 421, and records any other
 * request as user activity.
 */
public final class WarmupServletFilter extends OncePerRequestFilter {

	/**
	 * Ahead of Spring Security (-100), which may reject a request before it is marked.
	 */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final Supplier<String> instanceId;

	private final WarmupToken token;

	private final UserActivity users;

	private final InternalPaths internalPaths;

	/**
	 * Creates the filter.
	 * @param instanceId the id of this instance in discovery, called at each warm-up
	 * request
	 * @param token the token of this instance's warm-up requests
	 * @param users records user activity
	 * @param internalPaths the paths that users do not request; claims to the library's
	 * own paths are verified there
	 */
	public WarmupServletFilter(Supplier<String> instanceId, WarmupToken token, UserActivity users,
			InternalPaths internalPaths) {
		this.instanceId = instanceId;
		this.token = token;
		this.users = users;
		this.internalPaths = internalPaths;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		List<String> claims = Collections.list(request.getHeaders(WarmupClaim.HEADER));
		ClaimCheck check = (claims.isEmpty() || InternalPaths.isOfTheLibrary(path)) ? ClaimCheck.USER
				: ClaimCheck.of(claims, this.instanceId.get(), this.token);
		if (check.kind() == ClaimCheck.Kind.MISDIRECTED) {
			response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
			return;
		}
		boolean own = check.kind() == ClaimCheck.Kind.OWN;
		if (own) {
			response.setHeader(WarmupClaim.INSTANCE_HEADER, this.instanceId.get());
		}
		check.mark().ifPresent((mark) -> request.setAttribute(WarmupContext.ATTRIBUTE, mark));
		if (own || this.internalPaths.covers(path)) {
			chain.doFilter(request, response);
			return;
		}
		this.users.begin();
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.users.end();
		}
	}

}
