package dev.warmup.compatibility;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;

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

	@Bean
	static Looks looks() {
		return new Looks();
	}

	@Bean
	static BeanPostProcessor watchedPools(ObjectProvider<Looks> looks) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof DataSource pool) ? new WatchedPool(pool, looks) : bean;
			}

		};
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

	/**
	 * Lends a connection to a request when what is in use before was seen, and hands it
	 * over when that it is in use was seen too. Nobody looks while the application
	 * starts.
	 */
	private static final class WatchedPool extends DelegatingDataSource {

		private final ObjectProvider<Looks> looks;

		WatchedPool(DataSource pool, ObjectProvider<Looks> looks) {
			super(pool);
			this.looks = looks;
		}

		@Override
		public Connection getConnection() throws SQLException {
			awaitLook();
			Connection connection = super.getConnection();
			awaitLook();
			return connection;
		}

		private void awaitLook() {
			if (RequestContextHolder.getRequestAttributes() != null) {
				this.looks.getObject().await();
			}
		}

	}

}
