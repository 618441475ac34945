package dev.warmup.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.catalog.CatalogSource;
import dev.warmup.proposal.Proposal;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.run.Runs;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.http.HttpStatus;

/**
 * {@code /actuator/warmup} on a service: how warm it is, the catalog that it proposes,
 * and, if the application grants unrestricted access, a run on demand.
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
record WarmupEndpoint(OwnState state, Gate gate, Runs runs, Proposal proposal, CatalogSource catalogs) {

	@ReadOperation
	public Status status() {
		return new Status(this.state.instance().service(), this.state.instance().instanceId(), this.state.phase(),
				this.state.since(), this.gate.position(), this.runs.last(), this.runs.idle());
	}

	/**
	 * The catalog that the service proposes, at {@code catalog}.
	 * @param prefix what the gateway strips from paths; by default what one has sent
	 * @param missing whether to leave out what the present catalog has
	 * @return YAML, or 404 for another name, or a prefix that is no path
	 */
	@ReadOperation(produces = "text/yaml;charset=UTF-8")
	public WebEndpointResponse<String> catalog(@Selector String name, @Nullable String prefix,
			@Nullable String missing) {
		if (!name.equals("catalog") || !OwnState.PREFIX.matcher((prefix != null) ? prefix : "").matches()) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		boolean all = missing == null || missing.equals("false");
		return new WebEndpointResponse<>(this.proposal.yaml(Optional.ofNullable(prefix),
				all ? Optional.empty() : Optional.of(this.catalogs.current())));
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
