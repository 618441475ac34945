package dev.warmup;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.aot.AbstractAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/** What Spring generates ahead of time for an application with the library compiles. */
class AheadOfTimeTests {

	@Test
	void codeGeneratedForAGatewayCompiles(@TempDir Path output) throws Exception {
		AbstractAotProcessor.Settings settings = AbstractAotProcessor.Settings.builder()
			.sourceOutput(output.resolve("sources"))
			.resourceOutput(output.resolve("resources"))
			.classOutput(output.resolve("classes"))
			.groupId("com.example")
			.artifactId("gateway")
			.build();
		new SpringApplicationAotProcessor(Gateway.class, settings,
				new String[] { "--spring.main.web-application-type=reactive", "--spring.cloud.refresh.enabled=false" })
			.process();
		assertThat(output.resolve("sources/dev/warmup/gateway")).isNotEmptyDirectory();
		assertThat(compile(output.resolve("sources"), output.resolve("classes"))).isEmpty();
	}

	/** Returns the errors. */
	private static String compile(Path sources, Path classes) throws Exception {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter errors = new StringWriter();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> paths = Files.walk(sources)) {
			List<String> options = List.of("-nowarn", "-proc:none", "-Xlint:none", "-d", classes.toString(), "-cp",
					classes + System.getProperty("path.separator") + System.getProperty("java.class.path"));
			boolean compiled = compiler
				.getTask(errors, files, null, options, null, files
					.getJavaFileObjectsFromPaths(paths.filter((path) -> path.toString().endsWith(".java")).toList()))
				.call();
			return compiled ? "" : errors.toString();
		}
	}

	/** Only processed. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		public static void main(String[] args) {
			SpringApplication.run(Gateway.class, args);
		}

	}

}
