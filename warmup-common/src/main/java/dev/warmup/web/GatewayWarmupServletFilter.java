package dev.warmup.web;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.WarmupClaim;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UrlPathHelper;

/**
 * Answers {@code POST /.warmup/gateways/{id}}, a gateway's request to be warmed, in a
 * servlet service. Holds no container thread while the gateway is looked up.
 */
final class GatewayWarmupServletFilter extends OncePerRequestFilter {

	/**
	 * Ahead of Spring Security, which knows no gateway, and of the
	 * {@link WarmupServletFilter}.
	 */
	public static final int ORDER = ReadyServletFilter.ORDER;

	private static final Logger log = LoggerFactory.getLogger(GatewayWarmupServletFilter.class);

	private final GatewayWarmups warmups;

	/**
	 * Creates the filter.
	 * @param warmups handles the request
	 */
	GatewayWarmupServletFilter(GatewayWarmups warmups) {
		this.warmups = warmups;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		if (!request.getMethod().equals("POST") || !path.startsWith(InternalPaths.ASK_PATH)) {
			chain.doFilter(request, response);
			return;
		}
		List<String> claims = Collections.list(request.getHeaders(WarmupClaim.HEADER));
		String trigger = Optional.ofNullable(request.getParameter("trigger")).orElse("");
		AsyncContext async = request.startAsync(request, response);
		this.warmups.request(path.substring(InternalPaths.ASK_PATH.length()), claims, trigger)
			.publishOn(Schedulers.boundedElastic())
			.doFinally((signal) -> async.complete())
			.subscribe((result) -> write(response, result));
	}

	private static void write(HttpServletResponse response, GatewayWarmups.Result result) {
		response.setStatus(result.status());
		if (result.run().isPresent()) {
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			try {
				response.getOutputStream().write(result.body());
			}
			catch (IOException ex) {
				log.debug("The gateway closed the connection", ex);
			}
		}
	}

}
