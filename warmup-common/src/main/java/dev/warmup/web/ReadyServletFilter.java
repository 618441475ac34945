package dev.warmup.web;

import java.io.IOException;
import java.util.function.BooleanSupplier;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers {@code GET /.warmup/ready} in a servlet application, where it is mapped to that
 * path: 200 when the application is ready for users, 503 before.
 */
final class ReadyServletFilter extends OncePerRequestFilter {

	/** Ahead of Spring Security (-100), so that a startup probe needs no credentials. */
	public static final int ORDER = WarmupServletFilter.ORDER - 1;

	private final BooleanSupplier ready;

	/**
	 * Creates the filter.
	 * @param ready whether the application is ready for users
	 */
	ReadyServletFilter(BooleanSupplier ready) {
		this.ready = ready;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!request.getMethod().equals("GET")) {
			chain.doFilter(request, response);
			return;
		}
		response.setStatus(
				this.ready.getAsBoolean() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
	}

}
