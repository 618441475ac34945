package dev.warmup;

import java.util.Map;

import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A WebFlux service on Netty, warmed. */
class ReactiveServiceTests extends ServiceContract {

	@Override
	RunningApplication start(String... properties) {
		return RunningApplication.service(ReactiveService.class, WebApplicationType.REACTIVE, properties);
	}

	@Override
	boolean gatewayConfirmsRegistration() {
		return false;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class ReactiveService {

		@GetMapping("/rooms")
		Mono<Mark> list() {
			return Mono.deferContextual((context) -> Mono.just(new Mark(WarmupContext.isWarmup(context),
					WarmupContext.find(context).map(WarmupContext::runId).orElse(""))));
		}

		@GetMapping("/rooms/{name}")
		Map<String, String> room(@PathVariable String name) {
			return Map.of("name", name);
		}

	}

}
