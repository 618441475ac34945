package dev.warmup;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications whose class path truly lacks every optional dependency but their web
 * server, unlike those of a FilteredClassLoader, whose classes see what it hides.
 */
@Tag("full")
class BareApplicationTests {

	private static final String OPTIONAL = "actuator|micrometer-(core|jakarta|registry)|micrometer-metrics|micrometer-observation-4"
			+ "|boot-micrometer|boot-health|HikariCP|r2dbc-|spring-data|spring-jdbc";

	private static final String NO_SERVLETS = "tomcat|jakarta.servlet|webmvc|servlet-";

	@ParameterizedTest
	@CsvSource({ "REACTIVE, spring-cloud|" + NO_SERVLETS, "SERVLET, spring-cloud|spring-boot-webflux-4",
			"REACTIVE, eureka|netflix|loadbalancer|jersey|jakarta9|boot-freemarker|" + NO_SERVLETS })
	void itGetsReadyWithoutAnyOptionalDependency(WebApplicationType type, String others)
			throws ReflectiveOperationException, IOException {
		try (URLClassLoader bare = new URLClassLoader(classPathWithout(OPTIONAL + "|" + others),
				ClassLoader.getPlatformClassLoader())) {
			assertThat(bare.getResource("org/springframework/boot/actuate")).isNull();
			assertThat(bare.getResource("org/springframework/cloud/gateway") != null)
				.isEqualTo(!others.contains("spring-cloud"));
			ClassLoader before = Thread.currentThread().getContextClassLoader();
			Thread.currentThread().setContextClassLoader(bare);
			try {
				@SuppressWarnings("unchecked")
				Function<String, Integer> probe = (Function<String, Integer>) bare.loadClass(Probe.class.getName())
					.getDeclaredConstructor()
					.newInstance();
				assertThat(probe.apply(type.name())).isEqualTo(200);
			}
			finally {
				Thread.currentThread().setContextClassLoader(before);
			}
		}
	}

	private static URL[] classPathWithout(String jars) throws MalformedURLException {
		Pattern left = Pattern.compile(jars);
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (!left.matcher(Path.of(entry).getFileName().toString()).find()) {
				urls.add(Path.of(entry).toUri().toURL());
			}
		}
		return urls.toArray(URL[]::new);
	}

	/** Loaded by the bare class loader: starts, and asks the probe until it says 200. */
	public static final class Probe implements Function<String, Integer> {

		@Override
		public Integer apply(String type) {
			if (type.equals("SERVLET")) {
				TomcatURLStreamHandlerFactory.disable(); // one a JVM, whatever the loader
			}
			SpringApplication application = new SpringApplication(Service.class);
			application.setWebApplicationType(WebApplicationType.valueOf(type));
			try (ConfigurableApplicationContext context = application.run("--server.port=0",
					"--spring.main.banner-mode=off")) {
				assertThat(WarmupContext.current()).isEmpty();
				String port = context.getEnvironment().getProperty("local.server.port");
				return Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.until(() -> status("http://localhost:" + port + "/.warmup/ready"), (status) -> status == 200);
			}
		}

		private static int status(String url) {
			return RestClient.create().get().uri(url).exchange((request, response) -> response.getStatusCode().value());
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Service {

	}

}
