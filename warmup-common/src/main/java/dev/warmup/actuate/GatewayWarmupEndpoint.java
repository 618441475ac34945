package dev.warmup.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.gateway.Fleet;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * {@code /actuator/warmup} on a gateway: what it last read of each instance, and whether
 * it is itself open to users; and a page that shows it.
 *
 * @param shared the status, read at most once a second for all who ask
 */
@WebEndpoint(id = "warmup", defaultAccess = Access.READ_ONLY)
record GatewayWarmupEndpoint(Mono<Status> shared) {

	private static final String HTML = "text/html;charset=UTF-8";

	GatewayWarmupEndpoint(OwnState state, Gate gate, Fleet fleet) {
		this(Mono
			.fromSupplier(() -> new Status(state.instance().service(), state.instance().instanceId(), state.phase(),
					state.since(), gate.position(), state.run(), fleet.entries(), fleet.journal()))
			.subscribeOn(Schedulers.boundedElastic())
			.cache(Duration.ofSeconds(1)));
	}

	@ReadOperation
	public Mono<Status> status() {
		return this.shared;
	}

	/** The page, under that name alone, which reads the status itself. */
	@ReadOperation(produces = HTML)
	public WebEndpointResponse<Resource> page(@Selector String name) {
		return name.equals("page")
				? new WebEndpointResponse<>(new ClassPathResource("page.html", getClass()), MimeType.valueOf(HTML))
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * How warm the gateway, its own endpoints, and its instances are, and the last lines
	 * of the status log.
	 */
	record Status(String service, String instanceId, Phase phase, Instant since, GatePosition gate,
			Optional<RunRecord> run, List<Fleet.Entry> fleet,
			List<Fleet.Line> journal) implements OperationResponseBody {

		Status {
			fleet = List.copyOf(fleet);
			journal = List.copyOf(journal);
		}

	}

}
