package dev.warmup.jmh;

import java.util.List;

import dev.warmup.gateway.AdmissionFilter;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.FleetEntry;
import dev.warmup.gateway.ProtocolFilter;
import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.insight.Coverage;
import dev.warmup.insight.CoverageFilter;
import dev.warmup.insight.CoverageReport;
import dev.warmup.loadbalancer.UnreachableInstanceFilter;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.UserActivity;
import dev.warmup.web.ReadyWebFilter;
import dev.warmup.web.WarmupServletFilter;
import dev.warmup.web.WarmupWebFilter;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/** That the benchmarks measure what they say. */
class ApplicationTests {

	@Test
	void gatewayHasTheLibrarysFiltersAndTheFirstUsersAfterItsRunAreOver() {
		try (Gateway gateway = new Gateway(Library.PRESENT)) {
			assertThat(FilterChains.ofTheLibrary(gateway.context(), GlobalFilter.class)).hasExactlyElementsOfTypes(
					WarmupGlobalFilter.class, AdmissionFilter.class, CoverageFilter.class,
					UnreachableInstanceFilter.class);
			assertThat(FilterChains.ofTheLibrary(gateway.context(), WebFilter.class))
				.hasExactlyElementsOfTypes(ReadyWebFilter.class, ProtocolFilter.class);
			FleetEntry instance = gateway.context().getBean(Fleet.class).entries().get(0);
			assertThat(instance.phase()).isEqualTo(Phase.WARM);
			assertThat(instance.firstUsers()).singleElement()
				.extracting(FleetEntry.FirstUsersEntry::requests)
				.isEqualTo(100);
		}
	}

	@Test
	void usersOfGatewaySendWhatTheirBenchmarkIsCalled() {
		assertThat(coverage(Library.PRESENT).uncovered()).isEmpty();
		assertThat(coverage(Library.UNCOVERED).uncovered()).hasSize(1);
		assertThat(coverage(Library.MANY_KINDS).uncovered()).hasSize(10);
	}

	private static CoverageReport coverage(Library library) {
		try (Gateway gateway = new Gateway(library)) {
			Paths.of(library).forEach((path) -> assertThat(gateway.get(path)).isEqualTo(200));
			return gateway.context().getBean(Coverage.class).report();
		}
	}

	@Test
	void filtersAloneDoAsInTheWholeGateway() {
		try (Gateway gateway = new Gateway(Library.PRESENT)) {
			long before = gateway.context().getBean(Coverage.class).report().requests();
			ServerWebExchange exchange = FilterChains.get(FilterChains.of(gateway.context()), Paths.COVERED);
			assertThat(exchange.getResponse().isCommitted()).isTrue();
			assertThat(gateway.context().getBean(Coverage.class).report().requests()).isEqualTo(before + 1);
		}
	}

	@Test
	void reactiveServiceCountsUsersOnlyWithTheLibrary() {
		try (ConfigurableApplicationContext with = Contexts.reactiveService(Library.PRESENT);
				ConfigurableApplicationContext without = Contexts.reactiveService(Library.ABSENT)) {
			assertThat(new ReactiveApplication(with.getBean(HttpHandler.class)).get(Paths.COVERED)).isEqualTo(200);
			assertThat(new ReactiveApplication(without.getBean(HttpHandler.class)).get(Paths.COVERED)).isEqualTo(200);
			assertThat(with.getBean(UserActivity.class).entered()).isEqualTo(1);
			assertThat(FilterChains.ofTheLibrary(with, WebFilter.class))
				.hasAtLeastOneElementOfType(WarmupWebFilter.class);
			assertThat(ofTheLibrary(without)).isEmpty();
		}
	}

	@Test
	void servletServiceCountsUsersOnlyWithTheLibrary() throws Exception {
		try (ConfigurableApplicationContext with = Contexts.servletService(Library.PRESENT);
				ConfigurableApplicationContext without = Contexts.servletService(Library.ABSENT)) {
			ServletFilters service = new ServletFilters(with);
			ServletFilters bare = new ServletFilters(without);
			assertThat(service.get("/rooms/lobby")).isEqualTo(200);
			assertThat(bare.get("/rooms/lobby")).isEqualTo(200);
			assertThat(with.getBean(UserActivity.class).entered()).isEqualTo(1);
			assertThat(service.filters()).hasExactlyElementsOfTypes(WarmupServletFilter.class);
			assertThat(bare.filters()).isEmpty();
			assertThat(ofTheLibrary(without)).isEmpty();
		}
	}

	@Test
	void gatewayWithoutTheLibraryHasNothingOfIt() {
		try (Gateway gateway = new Gateway(Library.ABSENT)) {
			assertThat(ofTheLibrary(gateway.context())).isEmpty();
		}
	}

	private static List<Object> ofTheLibrary(ConfigurableApplicationContext context) {
		return context.getBeansOfType(Object.class).values().stream().filter(Contexts::isOfTheLibrary).toList();
	}

}
