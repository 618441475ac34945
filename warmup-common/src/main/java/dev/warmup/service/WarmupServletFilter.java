package dev.warmup.service;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupHeader;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * In a servlet application: answers at the library's own paths, removes the header
 * {@value WarmupHeader#NAME} from every request, marks this instance's own warm-up for
 * the application and proves in the response who answered, rejects another instance's
 * with 421, and records any other request as user activity.
 */
final class WarmupServletFilter extends OncePerRequestFilter {

	private final WarmupRequests requests;

	private final UserActivity users;

	WarmupServletFilter(WarmupRequests requests, UserActivity users) {
		this.requests = requests;
		this.users = users;
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
		proceed(null, request, response, chain);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		DispatcherType type = request.getDispatcherType();
		if (type == DispatcherType.ERROR || type == DispatcherType.ASYNC) {
			// the container's own request, which was handled before
			proceed((WarmupContext) request.getAttribute(WarmupContext.ATTRIBUTE), request, response, chain);
			return;
		}
		String path = request.getRequestURI().substring(request.getContextPath().length());
		if (this.requests.isForLibrary(request.getMethod(), path)) {
			answer(path, request, response);
			return;
		}
		Optional<WarmupHeader> header = this.requests.header(Collections.list(request.getHeaders(WarmupHeader.NAME)));
		if (header.filter(this.requests::isMisdirected).isPresent()) {
			response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
			return;
		}
		WarmupContext mark = header.flatMap(this.requests::mark).orElse(null);
		if (mark != null) {
			request.setAttribute(WarmupContext.ATTRIBUTE, mark);
		}
		else if (!this.requests.isInternal(path)) {
			this.users.touch();
		}
		proceed(mark, request, (mark != null) ? new WithProof(response, mark.instanceId()) : response, chain);
	}

	/** Holds the thread for six seconds at most, while other beans are read. */
	private void answer(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
		ResponseEntity<byte[]> answer = this.requests.answer(path, request::getHeader, request::getParameter)
			.blockOptional()
			.orElseThrow();
		response.setStatus(answer.getStatusCode().value());
		answer.getHeaders().forEach((name, values) -> response.setHeader(name, values.get(0)));
		if (answer.getBody() != null) {
			response.getOutputStream().write(answer.getBody());
		}
	}

	private static void proceed(@Nullable WarmupContext mark, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		HttpServletRequest stripped = (request.getHeader(WarmupHeader.NAME) != null) ? new WithoutHeader(request)
				: request;
		if (mark == null) {
			chain.doFilter(stripped, response);
			return;
		}
		WarmupContext.Scope scope = mark.open();
		try {
			chain.doFilter(stripped, response);
		}
		finally {
			scope.close();
		}
	}

	/** Proves which instance answered, also where the application resets the response. */
	private static final class WithProof extends HttpServletResponseWrapper {

		private final String instanceId;

		WithProof(HttpServletResponse response, String instanceId) {
			super(response);
			this.instanceId = instanceId;
			setHeader(WarmupHeader.INSTANCE, instanceId);
		}

		@Override
		public void reset() {
			super.reset();
			setHeader(WarmupHeader.INSTANCE, this.instanceId);
		}

	}

	/** The request as the application sees it. */
	private static final class WithoutHeader extends HttpServletRequestWrapper {

		WithoutHeader(HttpServletRequest request) {
			super(request);
		}

		@Override
		public @Nullable String getHeader(String name) {
			return isHidden(name) ? null : super.getHeader(name);
		}

		@Override
		public Enumeration<String> getHeaders(String name) {
			return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
		}

		@Override
		public Enumeration<String> getHeaderNames() {
			return Collections.enumeration(
					Collections.list(super.getHeaderNames()).stream().filter((name) -> !isHidden(name)).toList());
		}

		private static boolean isHidden(String name) {
			return WarmupHeader.NAME.equalsIgnoreCase(name);
		}

	}

}
