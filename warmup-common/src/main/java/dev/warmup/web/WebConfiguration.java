package dev.warmup.web;

import java.io.IOException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Optional;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.DiscoverySettings;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.WarmupRunner;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.server.WebFilter;

/** The filters of a service and of its clients, reactive and servlet. */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

	/** Where nothing warms, users may come at once. */
	@Bean
	@ConditionalOnWebApplication
	@ConditionalOnMissingBean
	Gate warmupOpenGate() {
		return Gate.open();
	}

	/** Without Spring Cloud there is no discovery that gateways could be in. */
	@Bean
	@ConditionalOnService
	@ConditionalOnClass(name = "org.springframework.cloud.client.ServiceInstance")
	GatewayWarmups warmupGatewayWarmups(ClaimVerifier verifier, DiscoverySettings settings, WarmupRunner runner) {
		return new GatewayWarmups(verifier, settings.gatewayServiceId(), runner, MonotonicClock.system());
	}

	@Bean
	@ConditionalOnService
	ClaimCheck warmupClaimCheck(Instance.Source instance, WarmupKey key, ClaimVerifier verifier,
			DiscoverySettings settings) {
		return new ClaimCheck(instance, key, verifier, settings.acceptUnsignedMarks(), Clock.systemUTC());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFilter.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		ProtocolWebFilter warmupProtocolWebFilter(Gate gate, ObjectProvider<GatewayWarmups> warmups) {
			return new ProtocolWebFilter(gate::isOpen, Optional.ofNullable(warmups.getIfAvailable()));
		}

		@Bean
		@ConditionalOnService
		WarmupWebFilter warmupWebFilter(ClaimCheck claims, UserActivity users, InternalPaths paths) {
			return new WarmupWebFilter(claims, users, paths);
		}

		/** In a gateway, and in a service whose warm-up is off. */
		@Bean
		@ConditionalOnMissingBean(WarmupWebFilter.class)
		StrippingWebFilter warmupStrippingWebFilter() {
			return new StrippingWebFilter();
		}

	}

	/**
	 * Filters are created while the server starts, ahead of other beans: what they need
	 * of endpoints and runs they look up at the first request.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Filter.class, FilterRegistrationBean.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		FilterRegistrationBean<ProtocolServletFilter> warmupProtocolServletFilter(Gate gate,
				ObjectProvider<GatewayWarmups> warmups) {
			FilterRegistrationBean<ProtocolServletFilter> filter = new FilterRegistrationBean<>(
					new ProtocolServletFilter(gate::isOpen,
							SingletonSupplier.of(() -> Optional.ofNullable(warmups.getIfAvailable()))));
			filter.addUrlPatterns(InternalPaths.READY_PATH, InternalPaths.ASK_PATH + "*");
			filter.setOrder(ProtocolServletFilter.ORDER);
			return filter;
		}

		/** A server may call filters only where a servlet is mapped. */
		@Bean
		@ConditionalOnProperty("spring.mvc.servlet.path")
		ServletRegistrationBean<HttpServlet> warmupProtocolServlet() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
					response.sendError(HttpServletResponse.SC_NOT_FOUND);
				}

			}, InternalPaths.READY_PATH, InternalPaths.ASK_PATH + "*");
		}

		@Bean
		@ConditionalOnService
		FilterRegistrationBean<WarmupServletFilter> warmupServletFilter(ClaimCheck claims, UserActivity users,
				ObjectProvider<InternalPaths> paths) {
			FilterRegistrationBean<WarmupServletFilter> filter = new FilterRegistrationBean<>(
					new WarmupServletFilter(claims, users, SingletonSupplier.of(paths::getObject)));
			filter.setOrder(WarmupServletFilter.ORDER);
			return filter;
		}

		/** As {@link StrippingWebFilter} does in a reactive application. */
		@Bean
		@ConditionalOnMissingBean(name = "warmupServletFilter")
		FilterRegistrationBean<Filter> warmupStrippingServletFilter() {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> chain
				.doFilter(WarmupServletFilter.withoutClaim((HttpServletRequest) request), response));
			filter.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
			filter.setOrder(WarmupServletFilter.ORDER);
			return filter;
		}

	}

	/** Static, and needing other beans late, so that none is created too early. */
	@Bean
	@ConditionalOnService
	static ClientMark warmupClientMark(ObjectProvider<WarmupKey> key, ObjectProvider<Instance.Source> self) {
		return new ClientMark(key, self);
	}

	/**
	 * For clients that are not beans: those behind the HTTP interfaces that Spring
	 * implements.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(WebClientCustomizer.class)
	static class WebClientConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		WebClientCustomizer warmupWebClientCustomizer(ClientMark mark) {
			return mark::addTo;
		}

	}

	/** For clients that are not beans, such as a RestTemplateBuilder makes. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(RestClientCustomizer.class)
	static class RestClientConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestClientCustomizer warmupRestClientCustomizer(ClientMark mark) {
			return mark::addTo;
		}

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestTemplateCustomizer warmupRestTemplateCustomizer(ClientMark mark) {
			return mark::addTo;
		}

	}

}
