package dev.warmup.example.eureka;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;

/** The registry of the example stack. */
@SpringBootApplication
@EnableEurekaServer
public class EurekaServerApplication {

	/**
	 * Starts the application.
	 * @param args Spring Boot's command line properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(EurekaServerApplication.class, args);
	}

}
