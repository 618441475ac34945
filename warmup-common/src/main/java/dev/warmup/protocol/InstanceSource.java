package dev.warmup.protocol;

import java.util.function.Supplier;

/** Says who this application is; to be asked once it is registered in discovery. */
@FunctionalInterface
public interface InstanceSource extends Supplier<Instance> {

}
