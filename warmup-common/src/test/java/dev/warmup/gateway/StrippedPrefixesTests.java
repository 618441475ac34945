package dev.warmup.gateway;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;

import static org.assertj.core.api.Assertions.assertThat;

class StrippedPrefixesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "unknown",
			value = { "Path=/orders/** | StripPrefix=1 | /orders", "Path=/api/orders/** | StripPrefix=1 | /api",
					"Path=/api/orders/{id}/** | StripPrefix=2 | /api/orders",
					"Path=/orders/** | AddRequestHeader=a, b | ''",
					"Path=/orders/** | RewritePath=/orders/?(?<rest>.*), /$\\{rest} | /orders",
					"Path=/orders/** | RewritePath=/orders/?(?<rest>.*), /v2/$\\{rest} | unknown",
					"Path=/orders/** | PrefixPath=/v2 | unknown", "Path=/** | StripPrefix=1 | unknown",
					"Host=orders.example.org | AddRequestHeader=a, b | ''" })
	void whatARouteStripsIsReadFromItsFilters(String predicate, String filter, String stripped) {
		RouteDefinition route = new RouteDefinition("r=lb://orders," + predicate);
		route.setFilters(List.of(new FilterDefinition(filter)));
		assertThat(StrippedPrefixes.stripped(route)).isEqualTo(Optional.ofNullable(stripped));
	}

	@Test
	@Timeout(30)
	void noLookWaitsForRoutesThatCannotBeReadNorForOddOnes() {
		StrippedPrefixes hanging = new StrippedPrefixes(Flux::never);
		hanging.read();
		assertThat(hanging.of("orders")).isEmpty();
		StrippedPrefixes odd = new StrippedPrefixes(() -> Flux.just(new RouteDefinition("odd=mailto:a%20b,Path=/**"),
				route("orders", "StripPrefix=x"), route("shop", "StripPrefix=1")));
		odd.read();
		TestGateway.await(() -> odd.of("shop").equals(Optional.of("/shop")));
		assertThat(odd.of("orders")).isEmpty();
	}

	private static RouteDefinition route(String service, String filter) {
		RouteDefinition route = new RouteDefinition("%1$s=lb://%1$s,Path=/%1$s/**".formatted(service));
		route.setFilters(List.of(new FilterDefinition(filter)));
		return route;
	}

}
