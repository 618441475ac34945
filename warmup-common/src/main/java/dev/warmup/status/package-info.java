/** Shows how warm this application is: log lines, endpoint, readiness. */
@NullMarked
package dev.warmup.status;

import org.jspecify.annotations.NullMarked;
