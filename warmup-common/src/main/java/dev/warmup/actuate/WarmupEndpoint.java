package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.run.Runs;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.http.HttpStatus;

/**
 * {@code /actuator/warmup} on a service: how warm it is, and, if the application grants
 * unrestricted access, a run on demand.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
record WarmupEndpoint(OwnState state, Gate gate, Runs runs) {

	@ReadOperation
	public Status status() {
		return new Status(this.state.instance().service(), this.state.instance().instanceId(), this.state.phase(),
				this.state.since(), this.gate.position(), this.runs.last(), this.runs.idle());
	}

	/**
	 * Starts a run that replays what a startup run replays.
	 * @return 202 at once, 409 while a run is in progress, or 429 within ten seconds of
	 * the last run on demand
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, String>> run() {
		return switch (this.runs.startManually()) {
			case STARTED ->
				new WebEndpointResponse<>(Map.of("message", "A run was started"), HttpStatus.ACCEPTED.value());
			case BUSY ->
				new WebEndpointResponse<>(Map.of("message", "A run is under way"), HttpStatus.CONFLICT.value());
			case COOLING_DOWN ->
				new WebEndpointResponse<>(Map.of("message", "A run was started less than ten seconds ago"),
						WebEndpointResponse.STATUS_TOO_MANY_REQUESTS);
		};
	}

	/**
	 * How warm the instance is, its last runs, the newest first, and when the next is
	 * due. Written as other endpoints are, whatever the application's JSON looks like.
	 */
	record Status(String service, String instanceId, Phase phase, Instant since, GatePosition gate,
			List<RunRecord> runs, Runs.IdleStatus idle) implements OperationResponseBody {

		Status {
			runs = List.copyOf(runs);
		}

	}

}
