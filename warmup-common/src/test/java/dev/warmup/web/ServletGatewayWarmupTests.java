package dev.warmup.web;

import org.springframework.boot.WebApplicationType;

/** A Spring MVC service that receives gateway warm-up requests. */
class ServletGatewayWarmupTests extends GatewayWarmupContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.SERVLET;
	}

}
