package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

/**
 * Where a service finds its gateways, and which marks of other services count.
 *
 * @param gatewayServiceId the gateways' name in discovery
 * @param gatewayUrl the gateway's address, instead of discovery
 * @param acceptUnsignedMarks whether a mark counts that anyone could have written
 */
public record DiscoverySettings(String gatewayServiceId, Optional<URI> gatewayUrl, boolean acceptUnsignedMarks) {

}
