/** Reads what docker/kubernetes gives to a cluster, and holds it against the product. */
@NullMarked
package dev.warmup.docker.kubernetes;

import org.jspecify.annotations.NullMarked;
