package dev.warmup.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class FileCatalogSourceTests {

	private static final String FIRST = "version: 1\nscenarios: [ { name: first, requests: [GET /a] } ]\n";

	private static final String SECOND = "version: 1\nscenarios: [ { name: second, requests: [GET /b] } ]\n";

	private static final String BROKEN = "version: 1\nscenarios: [ { nam: third, requests: [GET b] } ]\n";

	private Path file;

	@BeforeEach
	void nameTheFile(@TempDir Path folder) {
		this.file = folder.resolve("warmup-requests.yml");
	}

	@Test
	void changedFileIsReadAndLoggedOnce(CapturedOutput output) throws IOException {
		Files.writeString(this.file, FIRST);
		CatalogSource source = required();
		assertThat(name(source)).isEqualTo("first");
		assertThat(source.current()).isSameAs(source.current());
		assertThat(output).doesNotContain("changed");
		Files.writeString(this.file, SECOND);
		assertThat(name(source)).isEqualTo("second");
		assertThat(name(source)).isEqualTo("second");
		assertThat(output.getOut()).containsOnlyOnce("Warm-up catalog %s changed; scenarios: 1".formatted(this.file));
	}

	@Test
	void lastGoodCatalogServesOnWhileAnEditIsBroken(CapturedOutput output) throws IOException {
		Files.writeString(this.file, FIRST);
		CatalogSource source = required();
		Files.writeString(this.file, BROKEN);
		assertThat(name(source)).isEqualTo("first");
		assertThat(output.getOut()).contains("ERROR")
			.contains(this.file + ":2:16 scenarios[0] > nam: unknown key 'nam'. Fix: did you mean 'name'?")
			.contains(this.file + ":2:14 scenarios[0]: 'name' is missing")
			.contains("the path 'b' does not begin with one /")
			.contains("The last good catalog stays in use");
		Files.writeString(this.file, SECOND);
		assertThat(name(source)).isEqualTo("second");
	}

	@Test
	void changedBodyFileChangesTheCatalog() throws IOException {
		Path body = Files.writeString(this.file.resolveSibling("body.txt"), "one");
		Files.writeString(this.file, "version: 1\nscenarios:\n  - name: a\n    unsafe: true\n"
				+ "    requests: [ { method: POST, path: /a, bodyFile: body.txt } ]\n");
		CatalogSource source = required();
		Files.writeString(body, "two");
		assertThat(source.current().scenarios().get(0).requests().get(0).content(Template.Scope.EMPTY).orElseThrow())
			.asString()
			.isEqualTo("two");
	}

	@Test
	void applicationThatCannotStartReportsEveryProblemAndHowToStartWithoutWarmup(CapturedOutput output) {
		SpringApplication application = new SpringApplication(BrokenCatalog.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(application::run)
			.havingRootCause()
			.isInstanceOf(InvalidCatalogException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Warm-up catalog classpath:catalog/two-problems.yml cannot be used:")
			.contains("classpath:catalog/two-problems.yml:4:5 scenarios[0] 'rooms' > wait: unknown key 'wait'. Fix: "
					+ "use one of finally, name, requests, service, unsafe, weight, when")
			.contains("classpath:catalog/two-problems.yml:6:9 scenarios[0] 'rooms' > requests[0] 'DELETE /rooms/1': "
					+ "DELETE may change data, and the scenario is not marked unsafe. Fix: ")
			.contains("Correct what is listed, or start without warming up: warmup.enabled=false");
	}

	@Test
	void missingDefaultFileIsAnEmptyCatalogUntilItAppears(CapturedOutput output) throws IOException {
		assertThatExceptionOfType(InvalidCatalogException.class).isThrownBy(this::required)
			.withMessageContaining("the file is missing");
		CatalogSource source = optional();
		assertThat(source.current().scenarios()).isEmpty();
		Files.writeString(this.file, FIRST);
		assertThat(name(source)).isEqualTo("first");
		assertThat(output).doesNotContain("the file is missing");
		Files.delete(this.file);
		assertThat(name(source)).as("a broken edit").isEqualTo("first");
		assertThat(output).contains("the file is missing");
	}

	/** Docker creates one in place of a file that it cannot mount. */
	@Test
	void directoryIsNoCatalog(CapturedOutput output) throws IOException {
		Resource url = new FileUrlResource(this.file.toString());
		Files.writeString(this.file, FIRST);
		CatalogSource source = new FileCatalogSource(url, false);
		Files.delete(this.file);
		Files.createDirectory(this.file);
		assertThat(name(source)).isEqualTo("first");
		assertThat(output).contains("the file cannot be read: it is a directory");
		assertThatExceptionOfType(InvalidCatalogException.class).isThrownBy(() -> new FileCatalogSource(url, true))
			.withMessageContaining("it is a directory");
	}

	private CatalogSource required() {
		return new FileCatalogSource(new FileSystemResource(this.file), false);
	}

	private CatalogSource optional() {
		return new FileCatalogSource(new FileSystemResource(this.file), true);
	}

	private static String name(CatalogSource source) {
		return source.current().scenarios().get(0).name();
	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenCatalog {

		@Bean
		CatalogSource catalogSource() {
			return CatalogSource.required(new ClassPathResource("catalog/two-problems.yml"));
		}

	}

}
