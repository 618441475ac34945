package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.WarmupClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;

/** Receives run reports, and routes users to an instance whose report opens its gate. */
final class RunReports {

	private static final Logger logger = LoggerFactory.getLogger(RunReports.class);

	private static final Pattern PRINTABLE = Pattern.compile("[^\\p{Cc}\\u2028\\u2029]*");

	/** Longer than any run, and short enough to be counted in nanoseconds. */
	private static final Duration MAX_DURATION = Duration.ofDays(365);

	private static final Duration REGISTRY_LIMIT = Duration.ofSeconds(2);

	private static final Pattern SERVICE_NAME = Pattern.compile("[\\w.-]{1,253}");

	private final Fleet fleet;

	private final Optional<RoutableInstances> routable;

	private final Optional<InstanceLookup> lookup;

	private final Listeners<GatewayListener> listeners;

	private final JsonMapper json = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
		.build();

	RunReports(Fleet fleet, Optional<RoutableInstances> routable, Optional<InstanceLookup> lookup,
			List<GatewayListener> listeners) {
		this.fleet = fleet;
		this.routable = routable;
		this.lookup = lookup;
		this.listeners = new Listeners<>(listeners);
	}

	/**
	 * Records a report by a verified claim. The dry run of a report is validated alike,
	 * and discarded: the report of a run is the first request of its kind, and would
	 * otherwise deoptimize the gateway right before the first users. Returns 204, 400 for
	 * anything but a report of that run and instance, 413 beyond 64 KiB.
	 */
	Mono<HttpStatus> take(Flux<DataBuffer> body, WarmupClaim claim, Optional<ServiceInstance> reporter) {
		return DataBufferUtils.join(body, RunReport.MAX_BYTES)
			.flatMap((buffer) -> parse(buffer, claim).map((report) -> take(ofRegistered(report, reporter), reporter))
				.orElse(Mono.just(HttpStatus.BAD_REQUEST)))
			.defaultIfEmpty(HttpStatus.BAD_REQUEST)
			.onErrorReturn(DataBufferLimitException.class, HttpStatus.CONTENT_TOO_LARGE);
	}

	/**
	 * The claim proves the instance, and the registry its service. Another name in the
	 * report could only distort the figures of another service, so it is replaced.
	 */
	private static RunReport ofRegistered(RunReport report, Optional<ServiceInstance> reporter) {
		return reporter.map(ServiceInstance::getServiceId)
			.filter((service) -> !service.equalsIgnoreCase(report.service()))
			.map((service) -> new RunReport(service.toLowerCase(Locale.ROOT), report.instanceId(), report.phase(),
					report.gate(), report.run()))
			.orElse(report);
	}

	private Mono<HttpStatus> take(RunReport report, Optional<ServiceInstance> reporter) {
		if (report.phase() == Phase.WARMING) {
			return Mono.just(HttpStatus.NO_CONTENT);
		}
		// a run that does not go through this gateway has checked no registration here
		reporter.ifPresent(this.fleet::forgetPredecessor);
		if (report.phase() == Phase.RAMPING) {
			// also before its gate opens: by then its registry may list it
			reporter.ifPresent((instance) -> this.routable.ifPresent((routes) -> routes.ramping(instance)));
			this.fleet.ramping(report);
			this.listeners.each((listener) -> listener.onRamping(report));
		}
		else {
			if (this.fleet.reported(report)) {
				this.listeners.each((listener) -> listener.onReport(report));
			}
			if (report.phase() == Phase.WARM) {
				this.routable.ifPresent((routes) -> routes.warm(report.instanceId()));
			}
		}
		return Mono.justOrEmpty(reporter)
			.filter((instance) -> report.gate() == Gate.Position.OPEN)
			.flatMap((instance) -> this.lookup.map((registry) -> current(instance, registry))
				.orElse(Mono.just(instance)))
			.doOnNext((current) -> this.routable.ifPresent((routes) -> routes.opened(current)))
			.thenReturn(HttpStatus.NO_CONTENT);
	}

	/**
	 * The reporter as the registry has it now; empty where the registry has it as an
	 * instance that takes no users, or no longer has it. Where the registry does not
	 * answer, its last answer counts.
	 */
	private static Mono<ServiceInstance> current(ServiceInstance reporter, InstanceLookup registry) {
		return registry.find(Objects.requireNonNull(reporter.getInstanceId()))
			.timeout(REGISTRY_LIMIT)
			.onErrorReturn(Optional.of(reporter))
			.flatMap((found) -> Mono.justOrEmpty(current(reporter, found, registry)))
			.filter((current) -> !registry.refusesUsers(current));
	}

	/**
	 * The replica that answers may lag behind the one that proved the claim: it may have
	 * no instance under this id yet, or still the previous one, which has another key.
	 */
	private static Optional<ServiceInstance> current(ServiceInstance reporter, Optional<ServiceInstance> found,
			InstanceLookup registry) {
		if (found.isEmpty()) {
			return registry.known(Objects.requireNonNull(reporter.getInstanceId())).map((known) -> reporter);
		}
		return found.filter((instance) -> InstanceAddress.key(instance).equals(InstanceAddress.key(reporter)))
			.or(() -> Optional.of(reporter));
	}

	private Optional<RunReport> parse(DataBuffer body, WarmupClaim claim) {
		byte[] bytes = new byte[body.readableByteCount()];
		body.read(bytes);
		DataBufferUtils.release(body);
		try {
			return Optional.ofNullable(this.json.readValue(bytes, RunReport.class))
				.filter((report) -> fits(report, claim));
		}
		catch (JacksonException ex) {
			logger.debug("Not a run report", ex);
			return Optional.empty();
		}
	}

	private static boolean fits(RunReport report, WarmupClaim claim) {
		RunRecord run = report.run();
		return run.id().equals(claim.runId()) && report.instanceId().equals(claim.instanceId())
				&& SERVICE_NAME.matcher(report.service()).matches()
				&& Stream.concat(run.reason().stream(), run.findings().stream()).allMatch(RunReports::printable)
				&& Stream.of(run.took(), run.waited(), run.jit(), run.cpu()).allMatch(RunReports::plausible)
				&& Stream.of(run.first(), run.steadyP50(), run.steadyP95())
					.flatMap(Optional::stream)
					.allMatch(RunReports::plausible);
	}

	/** Text that cannot forge a line of the log. */
	private static boolean printable(String text) {
		return PRINTABLE.matcher(text).matches();
	}

	private static boolean plausible(Duration duration) {
		return !duration.isNegative() && duration.compareTo(MAX_DURATION) <= 0;
	}

}
