package dev.warmup.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.record.RunRecord;
import dev.warmup.report.RunReport;
import dev.warmup.traffic.WarmupClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;

/**
 * Takes run reports in: {@code PUT /.warmup/runs/{id}}. Answers 204, or 400 for what is
 * no report of that run, 403 for a claim that is not believed, 413 beyond 64 KiB.
 */
public final class RunReports implements HandlerFunction<ServerResponse> {

	/** The path, with a variable {@code id}. */
	public static final String PATH = RunReport.PATH + "{id}";

	private static final Logger logger = LoggerFactory.getLogger(RunReports.class);

	/** What may stand in the log as it is. */
	private static final Pattern PRINTABLE = Pattern.compile("[^\\p{Cc}\\u2028\\u2029]*");

	/** Far beyond any run, and near enough to be counted in nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private static final Pattern NAME = Pattern.compile("[\\w.-]{1,253}");

	private final ClaimVerifier verifier;

	private final Fleet fleet;

	private final JsonMapper json = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
		.build();

	/**
	 * Creates the handler.
	 * @param verifier decides whose report to believe
	 * @param fleet is told of each report
	 */
	public RunReports(ClaimVerifier verifier, Fleet fleet) {
		this.verifier = verifier;
		this.fleet = fleet;
	}

	@Override
	public Mono<ServerResponse> handle(ServerRequest request) {
		WarmupClaim claim = WarmupClaim.parse(String.valueOf(request.headers().firstHeader(WarmupClaim.HEADER)))
			.filter((candidate) -> candidate.runId().equals(request.pathVariable("id")))
			.orElseThrow(() -> refused("no " + WarmupClaim.HEADER + " header of that run"));
		return this.verifier.verify(claim)
			.flatMap((accepted) -> accepted ? take(request, claim)
					: ServerResponse.status(HttpStatus.FORBIDDEN).build());
	}

	private Mono<ServerResponse> take(ServerRequest request, WarmupClaim claim) {
		return DataBufferUtils.join(request.exchange().getRequest().getBody(), RunReport.MAX_BYTES)
			.map((body) -> parse(body, claim))
			.switchIfEmpty(Mono.error(() -> refused("an empty body is no run report")))
			.doOnNext(this.fleet::reported)
			.then(ServerResponse.noContent().build())
			.onErrorMap(DataBufferLimitException.class,
					(error) -> new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE,
							"A report has at most " + RunReport.MAX_BYTES + " bytes"));
	}

	private RunReport parse(DataBuffer body, WarmupClaim claim) {
		byte[] bytes = new byte[body.readableByteCount()];
		body.read(bytes);
		DataBufferUtils.release(body);
		try {
			RunReport report = this.json.readValue(bytes, RunReport.class);
			if (!report.run().id().equals(claim.runId()) || !report.instanceId().equals(claim.instanceId())
					|| !NAME.matcher(report.service()).matches()
					|| !PRINTABLE.matcher(report.run().reason().orElse("")).matches()
					|| !durations(report.run()).allMatch(RunReports::plausible)) {
				throw refused("not a report of the run and instance that the claim names");
			}
			return report;
		}
		catch (JacksonException | NullPointerException ex) {
			logger.debug("Not a run report", ex);
			throw refused("not a run report");
		}
	}

	private static Stream<Duration> durations(RunRecord run) {
		return Stream.concat(Stream.of(run.took(), run.waited(), run.jit()),
				Stream.of(run.first(), run.steadyP50(), run.steadyP95()).flatMap(Optional::stream));
	}

	private static boolean plausible(Duration duration) {
		return !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
	}

	private static ResponseStatusException refused(String why) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, why);
	}

}
