package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

import dev.warmup.protocol.WarmupKey;

/**
 * How instances find and believe each other.
 *
 * @param gatewayServiceId the gateways' name in discovery
 * @param gatewayUrl the gateway's address, instead of discovery
 * @param sharedKey the key that is made of the secret of services and gateways, where
 * there is no discovery
 */
public record DiscoverySettings(String gatewayServiceId, Optional<URI> gatewayUrl, Optional<WarmupKey> sharedKey) {

}
