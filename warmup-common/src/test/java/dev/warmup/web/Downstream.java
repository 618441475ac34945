package dev.warmup.web;

import java.util.List;

import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

/** The called service, which returns what it received, and how its callers start. */
final class Downstream {

	/** In discovery as well as in the address, so that marks for both are accepted. */
	static final String NAME = "localhost";

	private static final String SECRET = "warmup.token=a secret of both services, long enough";

	static final String OWN = "instance=mine; run=own";

	private Downstream() {
	}

	static RunningApplication start() {
		return RunningApplication.service(DownstreamService.class, WebApplicationType.REACTIVE,
				"spring.application.name=" + NAME, SECRET);
	}

	/**
	 * Starts a service that finds this one by address, by name, and by HTTP interface.
	 */
	static RunningApplication startAbove(Class<?> source, WebApplicationType type, RunningApplication downstream) {
		return RunningApplication.service(source, type, SECRET, "spring.application.name=upstream",
				"downstream=" + downstream.address(),
				"spring.cloud.discovery.client.simple.instances." + NAME + "[0].uri=" + downstream.address(),
				"spring.http.serviceclient.seen.base-url=" + downstream.address(), RunningApplication.EAGER + NAME);
	}

	/** The claim that an instance's own warm-up requests carry. */
	static WarmupClaim claimOf(RunningApplication service) {
		return service.bean(WarmupKey.class)
			.claim(service.bean(InstanceSource.class).get().instanceId(), "gateway", ClaimScope.REPLAY, "r-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class DownstreamService {

		@Bean
		Seeing seeing() {
			return new Seeing();
		}

		/** Keeps what arrived, which the application itself does not see. */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter arrivals() {
			return (exchange, chain) -> {
				exchange.getAttributes()
					.put(Seen.class.getName(), exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER));
				return chain.filter(exchange);
			};
		}

	}

	@RestController
	static class Seeing {

		@GetMapping("/seen")
		Mono<Seen> seen(ServerWebExchange exchange) {
			return Mono.deferContextual((context) -> Mono
				.just(new Seen(exchange.getRequiredAttribute(Seen.class.getName()), WarmupContext.isWarmup(context))));
		}

	}

	/**
	 * What arrived.
	 *
	 * @param headers the values of the warm-up header
	 * @param warmup whether the application found itself handling warm-up
	 */
	record Seen(List<String> headers, boolean warmup) {

		static final Seen USER = new Seen(List.of(), false);

	}

}
