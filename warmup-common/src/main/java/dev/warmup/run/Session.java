package dev.warmup.run;

import java.net.URI;
import java.util.function.Supplier;

import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

/**
 * What all requests of one run through one gateway share: each is sent once the
 * {@code gap} completes, within the budget, with a claim that is valid when it is made.
 */
record Session(Catalog catalog, URI gateway, Supplier<WarmupClaim> claims, String service, Budget budget,
		Mono<Void> gap) {

	/** The same session for a part of its budget. */
	public Session within(Budget part) {
		return new Session(this.catalog, this.gateway, this.claims, this.service, part, this.gap);
	}

	/** When the next request may be sent: at once where the run is to end. */
	Mono<Void> whenDue() {
		return Mono.defer(() -> this.budget.isOver() ? Mono.empty() : this.gap)
			.takeUntilOther(this.budget.whenStopped());
	}

	/** The claim of the sender, to be sent at once. */
	WarmupClaim claim() {
		return this.claims.get();
	}

	/** The gateway's address without a slash at its end, for paths to be appended. */
	String base() {
		String address = this.gateway.toString();
		return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
	}

}
