package dev.warmup.web;

import java.util.List;
import java.util.Optional;

import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** The called service, which returns what it received, and how its callers start. */
final class Downstream {

	static final String NAME = "downstream";

	static final String OWN = "instance=mine; run=own";

	private Downstream() {
	}

	static RunningApplication start() {
		return RunningApplication.service(DownstreamService.class, WebApplicationType.REACTIVE,
				"spring.application.name=" + NAME);
	}

	/**
	 * Starts a service that finds this one by address, by name, and by HTTP interface.
	 */
	static RunningApplication startAbove(Class<?> source, WebApplicationType type, RunningApplication downstream) {
		return RunningApplication.service(source, type, "spring.application.name=upstream",
				"downstream=" + downstream.address(),
				"spring.cloud.discovery.client.simple.instances." + NAME + "[0].uri=" + downstream.address(),
				"spring.http.serviceclient.seen.base-url=" + downstream.address(), RunningApplication.EAGER + NAME);
	}

	/** The claim that an instance's own warm-up requests carry. */
	static WarmupClaim claimOf(RunningApplication service) {
		return new WarmupClaim(service.bean(InstanceSource.class).get().instanceId(),
				Optional.of(service.bean(WarmupToken.class).value()), "r-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class DownstreamService {

		@Bean
		Seeing seeing() {
			return new Seeing();
		}

	}

	@RestController
	static class Seeing {

		@GetMapping("/seen")
		Mono<Seen> seen(@RequestHeader HttpHeaders headers) {
			return Mono.deferContextual((context) -> Mono
				.just(new Seen(headers.getOrEmpty(WarmupClaim.HEADER), WarmupContext.isWarmup(context))));
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

		/** Exactly the mark, without the token. */
		static Seen markOf(WarmupClaim claim) {
			return new Seen(List.of("instance=" + claim.instanceId() + "; run=" + claim.runId()), true);
		}

	}

}
