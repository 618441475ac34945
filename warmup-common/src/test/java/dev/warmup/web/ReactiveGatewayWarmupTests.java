package dev.warmup.web;

import org.springframework.boot.WebApplicationType;

/** A WebFlux service that receives gateway warm-up requests. */
class ReactiveGatewayWarmupTests extends GatewayWarmupContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.REACTIVE;
	}

}
