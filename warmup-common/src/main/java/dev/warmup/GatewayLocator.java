package dev.warmup;

import java.net.URI;
import java.util.List;

import reactor.core.publisher.Mono;

/** Finds the gateways to warm through. */
public interface GatewayLocator {

	/**
	 * Looks for the gateways, anew at each subscription.
	 * @return every gateway known now, possibly none; fails when it could not look
	 */
	Mono<List<Gateway>> locate();

	/**
	 * Describes what is looked for, for logs.
	 * @return such as {@code service 'gateway' in discovery}
	 */
	String description();

	/**
	 * Makes a locator of the one gateway at a fixed address.
	 * @param uri its address
	 * @return a locator that does not look anywhere
	 */
	static GatewayLocator fixed(URI uri) {
		return new FixedGatewayLocator(List.of(new Gateway(uri.toString(), uri)), uri.toString());
	}

	/**
	 * Makes a locator that finds no gateway.
	 * @param description what is missing
	 * @return a locator without a gateway
	 */
	static GatewayLocator none(String description) {
		return new FixedGatewayLocator(List.of(), description);
	}

}
