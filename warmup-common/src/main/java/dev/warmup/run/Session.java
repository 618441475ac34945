package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.WarmupClaim;

/**
 * What all requests of one run through one gateway share.
 *
 * @param catalog the catalog that is replayed
 * @param gateway the gateway's address
 * @param claims makes the claim of the sender, with a proof that is valid when it is made
 * @param service the sender's {@code spring.application.name}
 * @param budget how long requests may be sent
 */
public record Session(Catalog catalog, URI gateway, Supplier<WarmupClaim> claims, String service, Budget budget) {

	/** What a request that cleans up may take once the budget is spent. */
	private static final Duration CLEANUP_LIMIT = Duration.ofSeconds(5);

	/**
	 * The same session for a shorter time.
	 * @param part a part of this session's budget
	 * @return a session that lasts as long as that part
	 */
	public Session within(Budget part) {
		return new Session(this.catalog, this.gateway, this.claims, this.service, part);
	}

	/** The claim of the sender, to be sent at once. */
	WarmupClaim claim() {
		return this.claims.get();
	}

	/**
	 * What the catalog's paths are appended to.
	 * @return the gateway's address without a slash at its end
	 */
	String base() {
		String address = this.gateway.toString();
		return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
	}

	/**
	 * The time a request may take.
	 * @param timeout the request's own limit
	 * @return that limit, or what is left of the budget if that is less
	 */
	Duration limit(Duration timeout) {
		Duration remaining = this.budget.remaining();
		return (remaining.compareTo(timeout) < 0) ? remaining : timeout;
	}

	/**
	 * The time a request that cleans up may take.
	 * @param timeout the request's own limit
	 * @return that limit, or 5 s if that is less and the budget is spent
	 */
	Duration cleanupLimit(Duration timeout) {
		return (this.budget.isOver() && CLEANUP_LIMIT.compareTo(timeout) < 0) ? CLEANUP_LIMIT : timeout;
	}

}
