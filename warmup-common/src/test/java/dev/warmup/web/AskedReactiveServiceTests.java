package dev.warmup.web;

import org.springframework.boot.WebApplicationType;

/** A WebFlux service, asked. */
class AskedReactiveServiceTests extends AskedContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.REACTIVE;
	}

}
