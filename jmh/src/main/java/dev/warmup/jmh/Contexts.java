package dev.warmup.jmh;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigRegistry;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.web.MockServletContext;

/**
 * Applications as their auto-configurations make them, with the library's or without, and
 * without a server: nothing is ever ready, so that nothing warms.
 */
final class Contexts {

	/** Shared by both sides, in place of a registry that has hashes of tokens. */
	static final String TOKEN = "0123456789abcdef0123456789abcdef";

	static final String SERVICE = "chat-service";

	static final String INSTANCE = "chat-1";

	private static final String GATEWAY = "org.springframework.cloud.gateway.";

	private static final String LIBRARY = "dev.warmup.";

	private Contexts() {
	}

	/** A gateway with one route to one instance, whose answer is always the same. */
	static ConfigurableApplicationContext gateway(Library library) {
		AnnotationConfigReactiveWebApplicationContext context = new AnnotationConfigReactiveWebApplicationContext();
		String route = "spring.cloud.gateway.server.webflux.routes[0].";
		String instance = "spring.cloud.discovery.client.simple.instances." + SERVICE + "[0].";
		return refreshed(context,
				Map.of("spring.application.name", "gateway", route + "id", SERVICE, route + "uri", "lb://" + SERVICE,
						route + "predicates[0]", "Path=/" + SERVICE + "/**", route + "filters[0]", "StripPrefix=1",
						instance + "uri", "http://127.0.0.1:8080", instance + "instance-id", INSTANCE, "warmup.token",
						TOKEN, "spring.cloud.loadbalancer.cache.ttl", "1h"),
				excluded(library), Application.class, AnsweringFilter.class);
	}

	static ConfigurableApplicationContext reactiveService(Library library) {
		return service(new AnnotationConfigReactiveWebApplicationContext(), library, AnsweringRoute.class);
	}

	static ConfigurableApplicationContext servletService(Library library) {
		AnnotationConfigServletWebApplicationContext context = new AnnotationConfigServletWebApplicationContext();
		context.setServletContext(new MockServletContext());
		return service(context, library);
	}

	/** What tells a service from a gateway is hidden, as it is where no gateway is. */
	private static <C extends ConfigurableApplicationContext & AnnotationConfigRegistry> C service(C context,
			Library library, Class<?>... more) {
		context.setClassLoader(new FilteredClassLoader(GlobalFilter.class));
		Class<?>[] components = Arrays.copyOf(more, more.length + 1);
		components[more.length] = Application.class;
		return refreshed(context, Map.of("spring.application.name", SERVICE), excluded(library, GATEWAY), components);
	}

	private static <C extends ConfigurableApplicationContext & AnnotationConfigRegistry> C refreshed(C context,
			Map<String, String> properties, String excluded, Class<?>... components) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("spring.autoconfigure.exclude", excluded);
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("jmh", all));
		context.register(components);
		context.refresh();
		return context;
	}

	private static String excluded(Library library, String... prefixes) {
		return ImportCandidates.load(AutoConfiguration.class, Contexts.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> (!library.isPresent() && name.startsWith(LIBRARY))
					|| Stream.of(prefixes).anyMatch(name::startsWith))
			.collect(Collectors.joining(","));
	}

	/**
	 * Whether the library brought an object along.
	 * @param candidate a bean, or what one hands out
	 * @return {@code true} for those of the library's packages
	 */
	static boolean isOfTheLibrary(Object candidate) {
		return candidate.getClass().getName().startsWith(LIBRARY)
				&& !candidate.getClass().getPackageName().equals(Contexts.class.getPackageName());
	}

	/** An application of nothing but auto-configurations. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
