package dev.warmup.web;

import org.springframework.boot.WebApplicationType;

/** A Spring MVC service, asked. */
class AskedServletServiceTests extends AskedContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.SERVLET;
	}

}
