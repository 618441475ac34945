package dev.warmup;

import java.net.URI;

/**
 * A gateway that a run goes through. It needs this library, or nothing is sent.
 *
 * @param id its instance id in discovery, or its address where that was configured
 * @param uri its address; the catalog's paths are appended to it
 */
public record Gateway(String id, URI uri) {

}
