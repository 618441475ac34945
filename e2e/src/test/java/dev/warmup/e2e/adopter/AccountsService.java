package dev.warmup.e2e.adopter;

import java.security.Principal;
import java.util.List;
import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service on Spring MVC, JPA and HikariCP that requires authentication, and a CSRF
 * token for each change.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJpaRepositories(considerNestedRepositories = true)
@EntityScan
public class AccountsService {

	@Bean
	SecurityFilterChain security(HttpSecurity http) {
		return http
			.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
				.permitAll()
				.anyRequest()
				.authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf(CsrfConfigurer::spa)
			.build();
	}

	@Bean
	PasswordEncoder passwords() {
		return new PlainPasswords();
	}

	/** Found as a member of the application's class. */
	@RestController
	static class Controller {

		private final Accounts accounts;

		Controller(Accounts accounts) {
			this.accounts = accounts;
		}

		@GetMapping("/mine")
		List<Account> mine(Principal user) {
			return this.accounts.findByOwner(user.getName());
		}

		@PostMapping("/mine")
		@ResponseStatus(HttpStatus.CREATED)
		Account open(Principal user) {
			return this.accounts.save(new Account(UUID.randomUUID(), user.getName()));
		}

		@DeleteMapping("/mine/{id}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void close(@PathVariable UUID id) {
			this.accounts.deleteById(id);
		}

	}

	/** The accounts in the database. */
	public interface Accounts extends JpaRepository<Account, UUID> {

		List<Account> findByOwner(String owner);

	}

	/** An account. */
	@Entity(name = "Account")
	public static class Account {

		@Id
		public @Nullable UUID id;

		public @Nullable String owner;

		protected Account() {
		}

		Account(UUID id, String owner) {
			this.id = id;
			this.owner = owner;
		}

	}

}
