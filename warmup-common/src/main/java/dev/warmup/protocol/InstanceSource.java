package dev.warmup.protocol;

import java.util.function.Supplier;

/** Names this application; to be called once it is registered in discovery. */
@FunctionalInterface
public interface InstanceSource extends Supplier<Instance> {

}
