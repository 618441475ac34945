package dev.warmup.catalog;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@ExtendWith(OutputCaptureExtension.class)
class InvalidCatalogFailureAnalyzerTests {

	@Test
	void applicationThatCannotStartSaysEveryProblemAndTheWayOut(CapturedOutput output) {
		SpringApplication application = new SpringApplication(BrokenCatalog.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(application::run)
			.havingRootCause()
			.isInstanceOf(InvalidCatalogException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Warm-up catalog classpath:catalog/two-problems.yml has 2 problems:")
			.contains("classpath:catalog/two-problems.yml:4:5 scenarios[0] 'rooms' > wait: unknown key 'wait'. Fix: "
					+ "use one of finally, name, requests, service, unsafe, weight, when")
			.contains("classpath:catalog/two-problems.yml:6:9 scenarios[0] 'rooms' > requests[0] 'DELETE /rooms/1': "
					+ "DELETE may change data, and the scenario is not marked unsafe. Fix: ")
			.contains("Correct those entries, or start without warming up: warmup.enabled=false");
	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenCatalog {

		@Bean
		CatalogSource catalogSource() {
			return FileCatalogSource.required(new ClassPathResource("catalog/two-problems.yml"), new CatalogReader());
		}

	}

}
