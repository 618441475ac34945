package dev.warmup.example.chat;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A small chat: users, rooms and messages. */
@SpringBootApplication
public class ChatServiceApplication {

	/**
	 * Starts the application.
	 * @param args Spring Boot's command line properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(ChatServiceApplication.class, args);
	}

}
