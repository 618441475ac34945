package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.Gateway;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Sends reports with {@link WebClient}. A report that would be longer than 64 KiB is sent
 * without what it says of each request.
 */
public final class WebClientReporter implements Reporter {

	private static final Logger logger = LoggerFactory.getLogger(WebClientReporter.class);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private final WebClient client;

	private final WarmupToken token;

	private final JsonMapper json = JsonMapper.shared();

	/**
	 * Creates a reporter.
	 * @param client what to send with
	 * @param token proves who reports
	 */
	public WebClientReporter(WebClient client, WarmupToken token) {
		this.client = client;
		this.token = token;
	}

	@Override
	public Mono<Void> report(Gateway gateway, RunReport report) {
		String id = report.run().id();
		return send(gateway, RunReport.PATH, report).onErrorResume((error) -> {
			logger.warn("Gateway {} did not take the report of run {}: {}. Does it have warmup-common?", gateway.id(),
					id, error.getMessage());
			return Mono.empty();
		}).then();
	}

	@Override
	public Mono<Void> rehearse(Gateway gateway, RunReport report) {
		return send(gateway, RunReport.REHEARSAL_PATH, report).onErrorResume((error) -> {
			logger.debug("Gateway {} did not rehearse the report of run {}", gateway.id(), report.run().id(), error);
			return Mono.empty();
		}).then();
	}

	private Mono<ResponseEntity<Void>> send(Gateway gateway, String path, RunReport report) {
		return Mono.defer(() -> put(gateway, path, report)).timeout(LIMIT);
	}

	private Mono<ResponseEntity<Void>> put(Gateway gateway, String path, RunReport report) {
		String id = report.run().id();
		URI uri = UriComponentsBuilder.fromUri(gateway.uri()).path(path + id).build(true).toUri();
		return this.client.put()
			.uri(uri)
			.header(WarmupClaim.HEADER,
					new WarmupClaim(report.instanceId(), Optional.of(this.token.value()), id).format())
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body(report))
			.retrieve()
			.toBodilessEntity();
	}

	private byte[] body(RunReport report) {
		byte[] whole = this.json.writeValueAsBytes(report);
		return (whole.length <= RunReport.MAX_BYTES) ? whole
				: this.json.writeValueAsBytes(new RunReport(report.service(), report.instanceId(), report.phase(),
						report.gate(), report.run().withoutRequests()));
	}

}
