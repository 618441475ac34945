package dev.warmup.e2e.adopter;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** A service on Spring MVC that calls the inventory by a load-balanced client. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OrdersService {

	/** The Eureka client's, which could not register by a load-balanced one. */
	@Bean
	@Primary
	RestClient.Builder plainClient() {
		return RestClient.builder();
	}

	@Bean
	@LoadBalanced
	RestClient.Builder balancedClient() {
		return RestClient.builder();
	}

	/** Found as a member of the application's class. */
	@RestController
	static class Controller {

		private final RestClient inventory;

		Controller(@LoadBalanced RestClient.Builder client) {
			this.inventory = client.baseUrl("http://inventory").build();
		}

		@GetMapping("/local")
		String local() {
			return "an order";
		}

		@GetMapping("/with-inventory")
		String withInventory() {
			return "an order of " + this.inventory.get().uri("/stock").retrieve().body(String.class);
		}

	}

}
