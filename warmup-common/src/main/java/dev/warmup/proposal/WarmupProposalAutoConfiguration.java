package dev.warmup.proposal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.catalog.CatalogSource;
import dev.warmup.service.ConditionalOnService;
import dev.warmup.service.OwnState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the catalog that a service
 * proposes, and, with {@code warmup.catalog=suggested}, replays.
 */
@AutoConfiguration(afterName = "dev.warmup.service.WarmupServiceAutoConfiguration",
		beforeName = "dev.warmup.run.WarmupRunAutoConfiguration")
@ConditionalOnService
public final class WarmupProposalAutoConfiguration {

	@Bean("dev.warmup.proposal")
	Proposal proposal(OwnState state, ObjectProvider<Endpoint.Source> endpoints, ObjectProvider<Proposal.Calls> calls,
			ObjectProvider<JsonMapper> mapper, Environment environment) {
		String base = Stream.of("server.servlet.context-path", "spring.mvc.servlet.path", "spring.webflux.base-path")
			.map((name) -> StringUtils.trimTrailingCharacter(environment.getProperty(name, ""), '/'))
			.collect(Collectors.joining());
		return new Proposal(state,
				SingletonSupplier.of(() -> List.copyOf(endpoints.stream()
					.flatMap(Endpoint.Source::read)
					.collect(Collectors.toMap(Endpoint::key, Function.identity(),
							(one, other) -> one.leftOut().isEmpty() ? one : other, LinkedHashMap::new))
					.values())),
				calls.getIfAvailable(() -> Map::of), base, mapper.getIfUnique(JsonMapper::shared));
	}

	@Bean("dev.warmup.catalogSource")
	@ConditionalOnMissingBean
	@ConditionalOnProperty(name = "warmup.catalog", havingValue = "suggested")
	CatalogSource suggested(Proposal proposal) {
		LoggerFactory.getLogger(Proposal.class)
			.warn("There is no catalog: warm-up replays only what can be called as it is (warmup.catalog=suggested). "
					+ "Begin your own with a copy of /actuator/warmup/catalog");
		return proposal::suggested;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean("dev.warmup.calls")
		Proposal.Calls calls(ObjectProvider<MeterRegistry> registry) {
			return () -> registry.stream()
				.limit(1)
				.flatMap((each) -> each.find("http.server.requests").tag("warmup", "false").timers().stream())
				.collect(Collectors.groupingBy(
						(each) -> each.getId().getTag("method") + " " + each.getId().getTag("uri"),
						Collectors.summingLong(Timer::count)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RequestMappingHandlerMapping.class)
	static class ServletConfiguration {

		@Bean("dev.warmup.servletEndpoints")
		Endpoint.Source servletEndpoints(ObjectProvider<RequestMappingHandlerMapping> mappings) {
			return () -> mappings.stream()
				.flatMap((each) -> each.getHandlerMethods().entrySet().stream())
				.flatMap((each) -> Endpoint.of(each.getKey().getPatternValues(),
						each.getKey().getMethodsCondition().getMethods(), each.getKey().toString(), each.getValue()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping.class)
	static class ReactiveConfiguration {

		@Bean("dev.warmup.reactiveEndpoints")
		Endpoint.Source reactiveEndpoints(
				ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping> mappings) {
			return () -> mappings.stream()
				.flatMap((each) -> each.getHandlerMethods().entrySet().stream())
				.flatMap((each) -> Endpoint.of(
						each.getKey().getPatternsCondition().getPatterns().stream().map(PathPattern::toString).toList(),
						each.getKey().getMethodsCondition().getMethods(), each.getKey().toString(), each.getValue()));
		}

	}

}
