package dev.warmup.e2e.adopter;

import java.util.Map;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service on Spring MVC that names the instance that answers, and refuses traffic on
 * request.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InventoryService {

	/** Found as a member of the application's class. */
	@RestController
	static class Controller {

		private final ApplicationContext context;

		Controller(ApplicationContext context) {
			this.context = context;
		}

		@GetMapping("/stock")
		Map<String, Integer> stock() {
			return Map.of("apples", 3);
		}

		@GetMapping("/instance")
		String instance() {
			return this.context.getEnvironment().getRequiredProperty("eureka.instance.instance-id");
		}

		@PostMapping("/readiness/{state}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void readiness(@PathVariable ReadinessState state) {
			AvailabilityChangeEvent.publish(this.context, state);
		}

	}

}
