package dev.warmup.web;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

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
 * Answers the requests to the library in a servlet application:
 * {@code GET /.warmup/ready}, 200 when the application is ready for users and 503 before,
 * and in a service {@code POST /.warmup/gateways/{id}}, by which a gateway requests to be
 * warmed; no container thread is held while the gateway is looked up.
 */
final class ProtocolServletFilter extends OncePerRequestFilter {

	/**
	 * Ahead of Spring Security (-100), which knows no gateway and no startup probe, and
	 * of the {@link WarmupServletFilter}.
	 */
	static final int ORDER = WarmupServletFilter.ORDER - 1;

	private static final Logger log = LoggerFactory.getLogger(ProtocolServletFilter.class);

	private final BooleanSupplier ready;

	private final Supplier<Optional<GatewayWarmups>> warmups;

	/**
	 * There are no gateways' requests to handle without discovery.
	 * @param warmups called for each request of a gateway
	 */
	ProtocolServletFilter(BooleanSupplier ready, Supplier<Optional<GatewayWarmups>> warmups) {
		this.ready = ready;
		this.warmups = warmups;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = UrlPathHelper.defaultInstance.getPathWithinApplication(request);
		Optional<GatewayWarmups> requested = (request.getMethod().equals("POST")
				&& path.startsWith(InternalPaths.ASK_PATH)) ? this.warmups.get() : Optional.empty();
		if (request.getMethod().equals("GET") && path.equals(InternalPaths.READY_PATH)) {
			response.setStatus(
					this.ready.getAsBoolean() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
		}
		else if (requested.isPresent()) {
			warm(requested.get(), path.substring(InternalPaths.ASK_PATH.length()), request, response);
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private static void warm(GatewayWarmups warmups, String gateway, HttpServletRequest request,
			HttpServletResponse response) {
		List<String> claims = Collections.list(request.getHeaders(WarmupClaim.HEADER));
		String trigger = Optional.ofNullable(request.getParameter("trigger")).orElse("");
		AsyncContext async = request.startAsync(request, response);
		warmups.request(gateway, claims, trigger)
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
