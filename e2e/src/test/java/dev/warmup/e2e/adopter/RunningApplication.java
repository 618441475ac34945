package dev.warmup.e2e.adopter;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * A real application with a real server on a free port, and a client of it. All parts of
 * a system are in one JVM: each has what it would not depend on hidden from it.
 */
final class RunningApplication implements AutoCloseable {

	/**
	 * What tests with such applications lock: the first application that is closed ends
	 * threads of Reactor Netty that all in this JVM share.
	 */
	static final String LOCK = "applications in this JVM";

	private static final String[] GATEWAYS_OWN = { GlobalFilter.class.getName() };

	private static final String[] JDBC = { "org.springframework.jdbc" };

	private static final String[] JPA = { "org.springframework.orm", "org.springframework.data",
			"jakarta.persistence" };

	private static final String[] R2DBC = { "io.r2dbc", "org.springframework.r2dbc", "org.springframework.data.r2dbc" };

	private static final String[] DATABASE = concat(JDBC, JPA, R2DBC);

	private static final String[] SECURITY = { "org.springframework.security" };

	private static final String[] MESSAGES = { "jakarta.jms" };

	private static final String[] SERVICES_OWN = concat(DATABASE, SECURITY);

	private static final String[] OAUTH2 = { "org.springframework.security.oauth2" };

	private static final String[] AUTHORIZATION_SERVER = { "org.springframework.security.oauth2.server.authorization" };

	/** Of two servers, Boot's actuator would configure both. */
	private static final String[] SERVLET = { "org.apache.catalina" };

	private final ConfigurableApplicationContext context;

	private RunningApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static RunningApplication gateway(Class<?> source, String... properties) {
		return start(source, WebApplicationType.REACTIVE, concat(SERVLET, SERVICES_OWN, MESSAGES), properties);
	}

	/** A gateway with Spring Security. */
	static RunningApplication securedGateway(Class<?> source, String... properties) {
		return start(source, WebApplicationType.REACTIVE, concat(SERVLET, DATABASE, OAUTH2, MESSAGES), properties);
	}

	static RunningApplication servletService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, OAUTH2, R2DBC, MESSAGES), properties);
	}

	/** A service with Spring Security and without a database. */
	static RunningApplication securedServletService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, DATABASE, OAUTH2, MESSAGES),
				properties);
	}

	/** A registry, or a service without a database. */
	static RunningApplication plainServletService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, SERVICES_OWN, MESSAGES), properties);
	}

	/** One that has nothing yet, and is read anew each time. */
	static RunningApplication registry() {
		return plainServletService(Applications.Registry.class, "warmup.enabled=false",
				"spring.application.name=registry", "eureka.client.register-with-eureka=false",
				"eureka.client.fetch-registry=false", "eureka.server.wait-time-in-ms-when-sync-empty=0",
				"eureka.server.use-read-only-response-cache=false");
	}

	/** Of a client of this registry, which knows of changes after a second. */
	String[] client(String name, String... properties) {
		return concat(new String[] { "spring.application.name=" + name, "eureka.client.jersey.enabled=false",
				"spring.cloud.loadbalancer.cache.enabled=false",
				"eureka.client.service-url.defaultZone=" + address() + "/eureka/",
				"eureka.instance.instance-id=" + name + "-1", "eureka.instance.hostname=localhost",
				"eureka.client.registry-fetch-interval-seconds=1",
				"eureka.client.initial-instance-info-replication-interval-seconds=0" }, properties);
	}

	static RunningApplication reactiveService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.REACTIVE, concat(SERVLET, GATEWAYS_OWN, SERVICES_OWN, MESSAGES),
				properties);
	}

	static RunningApplication jdbcService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, SECURITY, JPA, R2DBC, MESSAGES),
				properties);
	}

	static RunningApplication jpaService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, SECURITY, R2DBC, MESSAGES), properties);
	}

	static RunningApplication r2dbcService(Class<?> source, String... properties) {
		return service(source, WebApplicationType.REACTIVE,
				concat(SERVLET, GATEWAYS_OWN, SECURITY, JDBC, JPA, MESSAGES), properties);
	}

	/** A service that consumes messages. */
	static RunningApplication consumer(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, SERVICES_OWN), properties);
	}

	/** A server that issues tokens. */
	static RunningApplication authorizationServer(Class<?> source, String... properties) {
		return service(source, WebApplicationType.SERVLET, concat(GATEWAYS_OWN, DATABASE, MESSAGES), properties);
	}

	/** A service that only lets in who has a token. */
	static RunningApplication resourceServer(Class<?> source, WebApplicationType type, String... properties) {
		String[] hidden = concat(GATEWAYS_OWN, DATABASE, AUTHORIZATION_SERVER, MESSAGES);
		return service(source, type, (type == WebApplicationType.REACTIVE) ? concat(hidden, SERVLET) : hidden,
				properties);
	}

	private static RunningApplication service(Class<?> source, WebApplicationType type, String[] hidden,
			String... properties) {
		return start(source, type, hidden,
				concat(new String[] { "spring.cloud.gateway.server.webflux.enabled=false" }, properties));
	}

	private static String[] concat(String[]... arrays) {
		return Stream.of(arrays).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static RunningApplication start(Class<?> source, WebApplicationType type, String[] hidden,
			String... properties) {
		SpringApplication application = new SpringApplication(
				new DefaultResourceLoader(new FilteredClassLoader(hidden)), source);
		application.setWebApplicationType(type);
		application.setDefaultProperties(Map.of("server.port", "0", "spring.main.banner-mode", "off",
				"management.endpoints.web.exposure.include", "*"));
		return new RunningApplication(
				application.run(Arrays.stream(properties).map((property) -> "--" + property).toArray(String[]::new)));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	String address() {
		return "http://localhost:" + port();
	}

	String port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port");
	}

	String managementPort() {
		return this.context.getEnvironment().getRequiredProperty("local.management.port");
	}

	Answer send(String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path))
			.method(method, HttpRequest.BodyPublishers.noBody());
		return Answer.send((headers.length > 0) ? request.headers(headers) : request);
	}

	Answer get(String path, String... headers) {
		return send("GET", path, headers);
	}

	JsonNode json(String path, String... headers) {
		Answer answer = get(path, headers);
		if (answer.status() != 200) {
			throw new IllegalStateException(path + " answered " + answer.status() + ": " + answer.body());
		}
		return JsonMapper.shared().readTree(answer.body());
	}

	@Override
	public void close() {
		this.context.close();
	}

}
