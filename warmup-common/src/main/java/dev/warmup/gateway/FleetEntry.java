package dev.warmup.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/**
 * An instance as the gateway sees it.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery
 * @param phase how warm it is
 * @param since when that phase began
 * @param lastRun its last run through this gateway
 * @param firstUserRequest how long the first user request after that run took until its
 * response was committed here
 * @param firstUsers the first 100 user requests after that run over each route
 * @param routes the requests of the run that was here last, by route
 */
public record FleetEntry(String service, String instanceId, Phase phase, Instant since, Optional<RunRecord> lastRun,
		Optional<Duration> firstUserRequest, List<FirstUsersEntry> firstUsers, List<RouteEntry> routes) {

	public FleetEntry {
		firstUsers = List.copyOf(firstUsers);
		routes = List.copyOf(routes);
	}

	/**
	 * The first user requests after a run over a route, timed at the gateway until their
	 * responses were committed; without streams and server errors.
	 *
	 * @param route the route's id
	 * @param requests how many were counted, at most 100
	 * @param p50 their median, to within 1 %
	 * @param p99 their 99th percentile, to within 1 %
	 * @param steadyP50 the median of the run's last 50 to 100 requests over the route; of
	 * the whole run, as the instance timed it, where none took the route
	 * @param ratio {@code p50} by {@code steadyP50}
	 */
	public record FirstUsersEntry(String route, int requests, Duration p50, Duration p99, Duration steadyP50,
			double ratio) {

	}

	/**
	 * Warm-up traffic over a route, timed at the gateway until the response was
	 * committed.
	 *
	 * @param route the route's id
	 * @param requests how many requests took it
	 * @param failed how many of these ended in a server error or without a response
	 * @param first how long the first took
	 * @param p50 the median, to within 1 %
	 * @param p95 the 95th percentile, to within 1 %
	 * @param ratio {@code first} by the median of the last 50 to 100 that did not fail,
	 * or empty when all failed
	 */
	public record RouteEntry(String route, long requests, long failed, Duration first, Duration p50, Duration p95,
			Optional<Double> ratio) {

	}

}
