package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

import dev.warmup.protocol.WarmupToken;

/**
 * How instances find and believe each other.
 *
 * @param gatewayServiceId the gateways' name in discovery
 * @param gatewayUrl the gateway's address, instead of discovery
 * @param sharedToken the secret of services and gateways, where there is no discovery
 */
public record DiscoverySettings(String gatewayServiceId, Optional<URI> gatewayUrl, Optional<WarmupToken> sharedToken) {

}
