package dev.warmup.service;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what every web application with
 * the library has: who it is, its gate and its state, what counts as a user's request,
 * and the filter that answers gateways and startup probes, also where warm-up is off.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@EnableConfigurationProperties(WarmupProperties.class)
public final class WarmupServiceAutoConfiguration {

	/** Name of the bean that is the library's one source of time. */
	public static final String CLOCK = "dev.warmup.clock";

	@Bean(name = CLOCK, defaultCandidate = false)
	Clock clock() {
		return new MonotonicClock();
	}

	@Bean("dev.warmup.userActivity")
	UserActivity userActivity(@Qualifier(CLOCK) Clock clock) {
		return new UserActivity(clock);
	}

	/** Open from the start where nothing warms. */
	@Bean("dev.warmup.gate")
	Gate gate(WarmupProperties properties, ApplicationEventPublisher events) {
		return new Gate(properties.enabled() && properties.gate().enabled(), events);
	}

	/** Users may come where nobody refuses them, the application's own beans included. */
	@Bean("dev.warmup.ownState")
	OwnState ownState(@Qualifier("dev.warmup.instance") Instance.Source self, Gate gate,
			ObjectProvider<UserReadiness> readiness, @Qualifier(CLOCK) Clock clock) {
		Supplier<List<UserReadiness>> all = SingletonSupplier.of(() -> readiness.orderedStream().toList());
		return new OwnState(self, gate,
				() -> Flux.fromIterable(all.get())
					.concatMap((each) -> each.acceptsUsers().defaultIfEmpty(false))
					.all(Boolean::booleanValue),
				clock);
	}

	@Bean("dev.warmup.availability")
	UserReadiness availability(ObjectProvider<ApplicationAvailability> availability) {
		return () -> Mono.fromSupplier(() -> availability.stream()
			.allMatch((each) -> each.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC));
	}

	@Bean("dev.warmup.role")
	@ConditionalOnGateway
	WarmupRequests.Role gateway() {
		return WarmupRequests.Role.GATEWAY;
	}

	@Bean("dev.warmup.requests")
	WarmupRequests requests(WarmupProperties properties, ObjectProvider<WarmupRequests.Role> gateway, Gate gate,
			OwnState state, ObjectProvider<WantedRuns> runs, ObjectProvider<InternalPaths> paths) {
		WarmupRequests.Role role = properties.enabled() ? gateway.getIfAvailable(() -> WarmupRequests.Role.SERVICE)
				: WarmupRequests.Role.OFF;
		return new WarmupRequests(role, gate, state,
				SingletonSupplier.of(() -> runs.getIfAvailable(() -> new WantedRuns() {
				})), SingletonSupplier.of(() -> paths.getIfAvailable(() -> new InternalPaths(List.of()))));
	}

	/** The process in place of the name that discovery would give. */
	@Bean("dev.warmup.instance")
	@ConditionalOnMissingClass("org.springframework.cloud.client.serviceregistry.Registration")
	Instance.Source process(Environment environment) {
		return () -> processOf(environment);
	}

	private static Instance processOf(Environment environment) {
		String name = environment.getProperty("spring.application.name", "");
		return new Instance(StringUtils.hasText(name) ? name : "application",
				ManagementFactory.getRuntimeMXBean().getName());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Registration.class)
	static class RegistrationConfiguration {

		/** As the registry has it, which is what gateways look up. */
		@Bean("dev.warmup.instance")
		Instance.Source registered(ObjectProvider<Registration> registrations, Environment environment) {
			Supplier<Optional<Registration>> own = SingletonSupplier
				.of(() -> Optional.ofNullable(registrations.getIfUnique()));
			return () -> own.get()
				.flatMap((each) -> Optional.ofNullable(each.getInstanceId())
					.map((id) -> new Instance(each.getServiceId(), id)))
				.orElseGet(() -> processOf(environment));
		}

	}

	/** What the actuator serves at the application's own port. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ PathMappedEndpoints.class, ManagementPortType.class })
	static class ActuatorConfiguration {

		@Bean("dev.warmup.internalPaths")
		InternalPaths actuatorPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment,
				@Value("${spring.mvc.servlet.path:}") String servletPath) {
			boolean samePort = ManagementPortType.get(environment) == ManagementPortType.SAME;
			String prefix = StringUtils.trimTrailingCharacter(servletPath, '/');
			return new InternalPaths(
					endpoints.stream().flatMap((each) -> paths(each, samePort)).map(prefix::concat).toList());
		}

		/** Those below the base path, and probes at the main port, such as /livez. */
		private static Stream<String> paths(PathMappedEndpoints endpoints, boolean samePort) {
			Collection<String> main = endpoints.getBasePath().isEmpty() ? endpoints.getAllPaths()
					: List.of(endpoints.getBasePath());
			Stream<String> additional = endpoints.stream()
				.flatMap((endpoint) -> endpoint.getAdditionalPaths(WebServerNamespace.SERVER).stream())
				.map((path) -> path.startsWith("/") ? path : "/" + path);
			return Stream.concat(samePort ? main.stream() : Stream.empty(), additional);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean("dev.warmup.webFilter")
		WarmupWebFilter webFilter(WarmupRequests requests, UserActivity users) {
			return new WarmupWebFilter(requests, users);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean("dev.warmup.servletFilter")
		FilterRegistrationBean<WarmupServletFilter> servletFilter(WarmupRequests requests, UserActivity users) {
			FilterRegistrationBean<WarmupServletFilter> filter = new FilterRegistrationBean<>(
					new WarmupServletFilter(requests, users));
			filter.setOrder(WarmupRequests.ORDER);
			return filter;
		}

		/** A server may call filters only where a servlet is mapped. */
		@Bean("dev.warmup.servlet")
		@ConditionalOnProperty("spring.mvc.servlet.path")
		ServletRegistrationBean<HttpServlet> servlet() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
					response.sendError(HttpServletResponse.SC_NOT_FOUND);
				}

			}, InternalPaths.READY_PATH, InstanceState.PATH);
		}

	}

}
