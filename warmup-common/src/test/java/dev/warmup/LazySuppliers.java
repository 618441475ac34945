package dev.warmup;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Allows Spring's lazy suppliers their lock: the first requests through a load balancer
 * may meet at it, and each then waits for an object to be made.
 */
public final class LazySuppliers implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside("org.springframework.util.function.SingletonSupplier", "get");
	}

}
