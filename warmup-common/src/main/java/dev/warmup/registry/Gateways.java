package dev.warmup.registry;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import reactor.core.publisher.Mono;

/** Where the gateways are: in Eureka, at one address, or nowhere. */
record Gateways(Mono<List<Gateway>> locate, boolean isAvailable, String description) implements GatewayLocator {

	static Gateways at(URI uri) {
		return new Gateways(Mono.just(List.of(new Gateway(uri.toString(), uri))), true, uri.toString());
	}

	static Gateways none(String reason) {
		return new Gateways(Mono.just(List.of()), false, reason);
	}

	/**
	 * Finds every gateway with the library in Eureka, whatever its service is called:
	 * those of the own zone first, and in each zone in random order, so that not every
	 * service begins with the same ones. Where the client's copy of the registry has
	 * none, those that came after it was read, as where everything starts together.
	 * @param serviceId the only service whose instances are gateways for this application
	 * @param zone that of this instance, or blank
	 */
	static Gateways inEureka(EurekaRegistry registry, Optional<String> serviceId, String zone) {
		Predicate<Registered> gateway = (each) -> each.isGateway() && each.status() == Registered.Status.UP
				&& serviceId.filter((only) -> !only.equalsIgnoreCase(each.instance().service())).isEmpty();
		return new Gateways(
				Mono.fromSupplier(registry::instances)
					.filter((known) -> known.stream().anyMatch(gateway))
					.switchIfEmpty(Mono.defer(registry::recent))
					.map((instances) -> ordered(instances.stream().filter(gateway).toList(), zone)),
				true,
				serviceId.map((only) -> "gateways of service '" + only + "' in Eureka").orElse("gateways in Eureka"));
	}

	private static List<Gateway> ordered(List<Registered> gateways, String zone) {
		List<Registered> ordered = new ArrayList<>(gateways);
		Collections.shuffle(ordered);
		ordered.sort(Comparator.comparing((each) -> zone.isBlank() || !zone.equalsIgnoreCase(each.zone())));
		return ordered.stream().map((each) -> new Gateway(each.instance().instanceId(), each.base())).toList();
	}

}
