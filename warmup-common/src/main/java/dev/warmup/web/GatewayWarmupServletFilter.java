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
 * Answers {@code POST /.warmup/gateways/{id}} in a servlet service, where it is mapped to
 * all paths below that. Holds no thread of the container while the gateway is looked up.
 */
public final class GatewayWarmupServletFilter extends OncePerRequestFilter {

	/**
	 * With the startup probe: ahead of Spring Security, which knows no gateway, and of
	 * the filter that would take the gateway's claim for a warm-up request gone astray.
	 */
	public static final int ORDER = ReadyServletFilter.ORDER;

	private static final Logger log = LoggerFactory.getLogger(GatewayWarmupServletFilter.class);

	private final GatewayWarmups runs;

	/**
	 * Creates the filter.
	 * @param runs answers the gateways
	 */
	public GatewayWarmupServletFilter(GatewayWarmups runs) {
		this.runs = runs;
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
		this.runs.answer(path.substring(InternalPaths.ASK_PATH.length()), claims, trigger)
			.publishOn(Schedulers.boundedElastic())
			.doFinally((signal) -> async.complete())
			.subscribe((reply) -> write(response, reply));
	}

	private static void write(HttpServletResponse response, GatewayWarmupReply reply) {
		response.setStatus(reply.status());
		if (reply.run().isPresent()) {
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			try {
				response.getOutputStream().write(reply.body());
			}
			catch (IOException ex) {
				log.debug("The gateway that asked is gone", ex);
			}
		}
	}

}
