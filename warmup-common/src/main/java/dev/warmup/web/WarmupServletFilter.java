package dev.warmup.web;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UrlPathHelper;

/**
 * In a servlet service: marks warm-up requests for the application, which does not see
 * their claim, names this instance in the response to its own, rejects another instance's
 * with 421, and records any other request as user activity.
 */
final class WarmupServletFilter extends OncePerRequestFilter {

	/**
	 * Ahead of Spring Security (-100), which may reject a request before it is marked.
	 */
	static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final ClaimCheck claims;

	private final UserActivity users;

	private final Supplier<InternalPaths> internalPaths;

	/**
	 * Claims sent to the library's own paths are removed, not verified.
	 * @param internalPaths called for each request
	 */
	WarmupServletFilter(ClaimCheck claims, UserActivity users, Supplier<InternalPaths> internalPaths) {
		this.claims = claims;
		this.users = users;
		this.internalPaths = internalPaths;
	}

	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	@Override
	protected boolean shouldNotFilterErrorDispatch() {
		return false;
	}

	/** Where the container dispatches an error within the filter chain. */
	@Override
	protected void doFilterNestedErrorDispatch(HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		chain.doFilter(withoutClaim(request), response);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		DispatcherType type = request.getDispatcherType();
		if (type == DispatcherType.ERROR || type == DispatcherType.ASYNC) {
			// the container's own request, which was handled before
			chain.doFilter(withoutClaim(request), response);
			return;
		}
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		List<String> headers = Collections.list(request.getHeaders(WarmupClaim.HEADER));
		ClaimCheck.Result check = (headers.isEmpty() || InternalPaths.isOfTheLibrary(path)) ? ClaimCheck.Result.USER
				: check(headers);
		handle(check, path, withoutClaim(request), response, chain);
	}

	/** The request as the application may see it. */
	static HttpServletRequest withoutClaim(HttpServletRequest request) {
		return (request.getHeader(WarmupClaim.HEADER) != null) ? new WithoutClaim(request) : request;
	}

	private ClaimCheck.Result check(List<String> headers) {
		CompletableFuture<ClaimCheck.Result> result = new CompletableFuture<>();
		this.claims.of(headers).subscribe(result::complete, result::completeExceptionally);
		return result.join();
	}

	private void handle(ClaimCheck.Result check, String path, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		if (check.misdirected()) {
			response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
			return;
		}
		check.mark().ifPresent((mark) -> request.setAttribute(WarmupContext.ATTRIBUTE, mark));
		if (check.own()) {
			chain.doFilter(request, new WithProof(response, this.claims.instanceId()));
			return;
		}
		if (this.internalPaths.get().covers(path)) {
			chain.doFilter(request, response);
			return;
		}
		boolean foreign = check.foreign();
		Runnable begin = foreign ? this.users::beginWarmup : this.users::begin;
		Runnable end = foreign ? this.users::endWarmup : this.users::end;
		begin.run();
		try {
			chain.doFilter(request, response);
		}
		finally {
			if (request.isAsyncStarted()) {
				request.getAsyncContext().addListener(new AsyncEnd(end));
			}
			else {
				end.run();
			}
		}
	}

	/** Proves which instance answered, also where the application resets the response. */
	private static final class WithProof extends HttpServletResponseWrapper {

		private final String instanceId;

		WithProof(HttpServletResponse response, String instanceId) {
			super(response);
			this.instanceId = instanceId;
			setHeader(WarmupClaim.INSTANCE_HEADER, instanceId);
		}

		@Override
		public void reset() {
			super.reset();
			setHeader(WarmupClaim.INSTANCE_HEADER, this.instanceId);
		}

	}

	/** Records the end of an asynchronous request, once. */
	private static final class AsyncEnd implements AsyncListener {

		private final Runnable end;

		private final AtomicBoolean ended = new AtomicBoolean();

		AsyncEnd(Runnable end) {
			this.end = end;
		}

		@Override
		public void onComplete(AsyncEvent event) {
			end();
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			end();
		}

		@Override
		public void onError(AsyncEvent event) {
			end();
		}

		/** Where a dispatch starts it anew, the container forgets the listeners. */
		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

		private void end() {
			if (this.ended.compareAndSet(false, true)) {
				this.end.run();
			}
		}

	}

	/** The request as the application sees it. */
	private static final class WithoutClaim extends HttpServletRequestWrapper {

		WithoutClaim(HttpServletRequest request) {
			super(request);
		}

		@Override
		public @Nullable String getHeader(String name) {
			return WarmupClaim.HEADER.equalsIgnoreCase(name) ? null : super.getHeader(name);
		}

		@Override
		public int getIntHeader(String name) {
			return WarmupClaim.HEADER.equalsIgnoreCase(name) ? -1 : super.getIntHeader(name);
		}

		@Override
		public long getDateHeader(String name) {
			return WarmupClaim.HEADER.equalsIgnoreCase(name) ? -1 : super.getDateHeader(name);
		}

		@Override
		public Enumeration<String> getHeaders(String name) {
			return WarmupClaim.HEADER.equalsIgnoreCase(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
		}

		@Override
		public Enumeration<String> getHeaderNames() {
			return Collections.enumeration(Collections.list(super.getHeaderNames())
				.stream()
				.filter((name) -> !WarmupClaim.HEADER.equalsIgnoreCase(name))
				.toList());
		}

	}

}
