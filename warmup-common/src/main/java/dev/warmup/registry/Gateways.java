package dev.warmup.registry;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.util.NetUtil;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.HttpResources;
import reactor.netty.transport.NameResolverProvider;

/** Where the gateways are: in Eureka, at one name or address, or nowhere. */
record Gateways(Mono<List<Gateway>> locate, boolean isAvailable, String description) implements GatewayLocator {

	static Gateways at(URI uri) {
		return new Gateways(Mono.just(List.of(new Gateway(uri.toString(), uri))), true, uri.toString());
	}

	/**
	 * Finds gateways at all addresses of a name, in random order, without the JVM's cache
	 * of half a minute. Those of one family only: a gateway that has two is one.
	 */
	static Gateways resolved(URI url) {
		InetSocketAddress host = InetSocketAddress.createUnresolved(url.getHost(),
				(url.getPort() < 0) ? 80 : url.getPort());
		return new Gateways(
				Mono.fromCallable(() -> Names.GROUP.getResolver(HttpResources.get().onClient(true).next())
					.resolveAll(host)
					.sync()
					.getNow()).subscribeOn(Schedulers.boundedElastic()).map((found) -> ofOneFamily(found, url)),
				true, "gateways at " + url);
	}

	private static List<Gateway> ofOneFamily(List<InetSocketAddress> found, URI url) {
		List<Gateway> gateways = new ArrayList<>(found.stream()
			.filter((each) -> each.getAddress().getClass() == found.get(0).getAddress().getClass())
			.map(NetUtil::toSocketAddressString)
			.map((address) -> new Gateway(address, URI.create("http://" + address + url.getRawPath())))
			.toList());
		Collections.shuffle(gateways);
		return gateways;
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

	/** Shared by all applications of this JVM, as Reactor Netty's threads are. */
	private static final class Names {

		private static final DnsAddressResolverGroup GROUP = NameResolverProvider.builder()
			.cacheMaxTimeToLive(Duration.ofSeconds(5))
			.build()
			.newNameResolverGroup(HttpResources.get(), true);

	}

}
