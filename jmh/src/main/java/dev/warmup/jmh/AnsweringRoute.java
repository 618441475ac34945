package dev.warmup.jmh;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** All that a reactive service does: 200, whatever it is asked. */
@Configuration(proxyBeanMethods = false)
class AnsweringRoute {

	@Bean
	RouterFunction<ServerResponse> answer() {
		return RouterFunctions.route().GET("/**", (request) -> ServerResponse.ok().build()).build();
	}

}
