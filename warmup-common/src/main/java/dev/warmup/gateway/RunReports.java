package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.TaskRecord;
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

/** Takes run reports in, and has users routed to an instance that says it takes them. */
public final class RunReports {

	private static final Logger logger = LoggerFactory.getLogger(RunReports.class);

	/** What may stand in the log as it is. */
	private static final Pattern PRINTABLE = Pattern.compile("[^\\p{Cc}\\u2028\\u2029]*");

	/** Far beyond any run, and near enough to be counted in nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private static final Pattern NAME = Pattern.compile("[\\w.-]{1,253}");

	private final Fleet fleet;

	private final Optional<RoutableInstances> routable;

	private final List<GatewayListener> listeners;

	private final JsonMapper json = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
		.build();

	/**
	 * Takes reports in.
	 * @param fleet is told of each report
	 * @param routable is told of each instance that takes users from now on
	 * @param listeners are told of each report
	 */
	public RunReports(Fleet fleet, Optional<RoutableInstances> routable, List<GatewayListener> listeners) {
		this.fleet = fleet;
		this.routable = routable;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Takes in a report.
	 * @param body what was sent
	 * @param claim who reports which run, verified
	 * @param reporter the claimant as discovery knows it
	 * @return 204, 400 for what is no report of that run and instance, 403 for one of
	 * another service than the claimant's, 413 beyond 64 KiB
	 */
	Mono<HttpStatus> take(Flux<DataBuffer> body, WarmupClaim claim, Optional<ServiceInstance> reporter) {
		return read(body, claim, (report) -> take(report, reporter));
	}

	/**
	 * Reads a report, and forgets it.
	 * @param body what was sent
	 * @param claim who sends it, verified
	 * @return 204, 400 for what is no report of that run and instance, 413 beyond 64 KiB
	 */
	Mono<HttpStatus> rehearse(Flux<DataBuffer> body, WarmupClaim claim) {
		return read(body, claim, (report) -> HttpStatus.NO_CONTENT);
	}

	private Mono<HttpStatus> read(Flux<DataBuffer> body, WarmupClaim claim, Function<RunReport, HttpStatus> then) {
		return DataBufferUtils.join(body, RunReport.MAX_BYTES)
			.map((buffer) -> parse(buffer, claim).map(then).orElse(HttpStatus.BAD_REQUEST))
			.defaultIfEmpty(HttpStatus.BAD_REQUEST)
			.onErrorReturn(DataBufferLimitException.class, HttpStatus.CONTENT_TOO_LARGE);
	}

	private HttpStatus take(RunReport report, Optional<ServiceInstance> reporter) {
		if (reporter.filter((instance) -> !instance.getServiceId().equalsIgnoreCase(report.service())).isPresent()) {
			logger.debug("{} reports for {}, which it is not", report.instanceId(), report.service());
			return HttpStatus.FORBIDDEN;
		}
		List<FleetEntry.RouteEntry> seen = this.fleet.reported(report);
		if (report.gate() == GatePosition.OPEN) {
			reporter.ifPresent((instance) -> this.routable.ifPresent((routes) -> routes.opened(instance)));
		}
		Instance instance = new Instance(report.service(), report.instanceId());
		this.listeners.forEach((listener) -> {
			listener.onReport(report);
			seen.forEach((route) -> listener.onWarmed(instance, report.run(), route));
		});
		return HttpStatus.NO_CONTENT;
	}

	private Optional<RunReport> parse(DataBuffer body, WarmupClaim claim) {
		byte[] bytes = new byte[body.readableByteCount()];
		body.read(bytes);
		DataBufferUtils.release(body);
		try {
			return Optional.of(this.json.readValue(bytes, RunReport.class)).filter((report) -> fits(report, claim));
		}
		catch (JacksonException | NullPointerException ex) {
			logger.debug("Not a run report", ex);
			return Optional.empty();
		}
	}

	private static boolean fits(RunReport report, WarmupClaim claim) {
		return report.run().id().equals(claim.runId()) && report.instanceId().equals(claim.instanceId())
				&& NAME.matcher(report.service()).matches()
				&& texts(report.run()).allMatch((text) -> PRINTABLE.matcher(text).matches())
				&& durations(report.run()).allMatch(RunReports::plausible)
				&& report.run().tasks().size() <= RunRecord.MAX_TASKS
				&& report.run().tasks().stream().allMatch(RunReports::fits);
	}

	private static boolean fits(TaskRecord task) {
		return fits(task.name(), TaskRecord.LONGEST_NAME) && plausible(task.took())
				&& task.problem().filter((problem) -> !fits(problem, TaskRecord.LONGEST_PROBLEM)).isEmpty();
	}

	private static boolean fits(String text, int longest) {
		return text.length() <= longest && PRINTABLE.matcher(text).matches();
	}

	private static Stream<String> texts(RunRecord run) {
		return Stream.concat(Stream.of(run.reason()).flatMap(Optional::stream), run.findings().stream());
	}

	private static Stream<Duration> durations(RunRecord run) {
		return Stream.concat(Stream.of(run.took(), run.waited(), run.jit(), run.cpu()),
				Stream.of(run.first(), run.steadyP50(), run.steadyP95()).flatMap(Optional::stream));
	}

	private static boolean plausible(Duration duration) {
		return !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
	}

}
