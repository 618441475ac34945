package dev.warmup.example.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The gateway of the example stack. */
@SpringBootApplication
public class GatewayApplication {

	/**
	 * Starts the application.
	 * @param args Spring Boot's command line properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(GatewayApplication.class, args);
	}

}
