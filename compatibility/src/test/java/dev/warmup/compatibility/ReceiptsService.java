package dev.warmup.compatibility;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A service on Spring MVC, JPA and HikariCP that lets everybody in. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJpaRepositories
@EntityScan
class ReceiptsService {

	@Bean
	SecurityFilterChain open(HttpSecurity http) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.csrf(AbstractHttpConfigurer::disable)
			.build();
	}

	/** Found as a member of the application's class. */
	@RestController
	static class Desk {

		private final Receipts receipts;

		Desk(Receipts receipts) {
			this.receipts = receipts;
		}

		@PostMapping("/receipts")
		@ResponseStatus(HttpStatus.CREATED)
		Receipt write() {
			return this.receipts.save(new Receipt());
		}

		@GetMapping("/receipts/{id}")
		Receipt read(@PathVariable Long id) {
			return this.receipts.findById(id).orElseThrow();
		}

		@DeleteMapping("/receipts/{id}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void tear(@PathVariable Long id) {
			this.receipts.deleteById(id);
		}

	}

}
