package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

/**
 * Where a service finds its gateways.
 *
 * @param gatewayServiceId the gateways' name in discovery
 * @param gatewayUrl the gateway's address, instead of discovery
 */
public record DiscoverySettings(String gatewayServiceId, Optional<URI> gatewayUrl) {

}
