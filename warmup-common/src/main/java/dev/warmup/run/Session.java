package dev.warmup.run;

import java.net.URI;

import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.WarmupClaim;

/**
 * What all requests of one run through one gateway share.
 *
 * @param claim the sender, with its proof
 * @param service the sender's {@code spring.application.name}
 * @param budget how long requests may be sent
 */
public record Session(Catalog catalog, URI gateway, WarmupClaim claim, String service, Budget budget) {

	/** The same session for a part of its budget. */
	public Session within(Budget part) {
		return new Session(this.catalog, this.gateway, this.claim, this.service, part);
	}

	/** The gateway's address without a slash at its end, for paths to be appended. */
	String base() {
		String address = this.gateway.toString();
		return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
	}

}
