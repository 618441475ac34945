package dev.warmup.protocol;

/**
 * The name of an application instance.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery, unique among all instances
 */
public record Instance(String service, String instanceId) {

}
