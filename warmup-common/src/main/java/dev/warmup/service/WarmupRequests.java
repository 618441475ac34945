package dev.warmup.service;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.WarmupHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * What the filters of both web stacks have in common: the answers at the library's own
 * paths, and what a request's header {@value WarmupHeader#NAME} means here. Thread-safe.
 */
final class WarmupRequests {

	/**
	 * Of both filters: ahead of Spring Security (-100), which knows no gateway and no
	 * startup probe, and may reject a request before it is marked.
	 */
	static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final Logger logger = LoggerFactory.getLogger(WarmupRequests.class);

	/** For a look at the gateway that wants a run; within its own limit for this look. */
	private static final Duration WANTED_TIMEOUT = Duration.ofSeconds(5);

	private final Role role;

	private final Gate gate;

	private final OwnState state;

	private final Supplier<WantedRuns> runs;

	private final Supplier<InternalPaths> internalPaths;

	/**
	 * Filters are created while a servlet container starts, ahead of other beans.
	 * @param runs called at the first look, and not before
	 * @param internalPaths called at the first request, and not before
	 */
	WarmupRequests(Role role, Gate gate, OwnState state, Supplier<WantedRuns> runs,
			Supplier<InternalPaths> internalPaths) {
		this.role = role;
		this.gate = gate;
		this.state = state;
		this.runs = runs;
		this.internalPaths = internalPaths;
	}

	/** Whether another filter takes care of others' warm-up: this is a gateway. */
	boolean isGateway() {
		return this.role == Role.GATEWAY;
	}

	/** Whether a path within the application, as it was sent, is not for users. */
	boolean isInternal(String path) {
		return this.internalPaths.get().covers(path);
	}

	/**
	 * Whether a request is for the library.
	 * @param path within the application, as it was sent: no other spelling is answered
	 */
	boolean isForLibrary(String method, String path) {
		return "GET".equals(method) && (path.equals(InternalPaths.READY_PATH)
				|| (path.equals(InstanceState.PATH) && this.role != Role.OFF));
	}

	/**
	 * Answers a request for the library: whether the gate is open, to anyone, and the
	 * state to who names itself as gateways alone can.
	 * @return with JSON or without a body; never empty, never fails
	 */
	Mono<ResponseEntity<byte[]>> answer(String path, Function<String, @Nullable String> header,
			Function<String, @Nullable String> parameter) {
		if (path.equals(InternalPaths.READY_PATH)) {
			return Mono.just(answer(this.gate.isOpen() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE).build());
		}
		String asking = parameter.apply(InstanceState.GATEWAY_PARAMETER);
		if (header.apply(WarmupHeader.GATEWAY) == null || asking == null
				|| !WarmupHeader.INSTANCE_ID.matcher(asking).matches()) {
			return Mono.just(answer(HttpStatus.NOT_FOUND).build());
		}
		this.state.prefix(parameter.apply(InstanceState.PREFIX_PARAMETER));
		boolean wants = "true".equals(parameter.apply(InstanceState.WANTS_PARAMETER));
		return (wants ? wantedBy(asking) : Mono.just(Optional.<RunAnswer>empty()))
			.flatMap((answer) -> this.state.read(asking, this.runs.get().services(), answer))
			.map((read) -> answer(HttpStatus.OK).contentType(MediaType.APPLICATION_JSON).body(read.toJson()))
			.doOnError((error) -> logger.warn("The state of this instance cannot be read", error))
			.onErrorReturn(answer(HttpStatus.INTERNAL_SERVER_ERROR).build());
	}

	private static ResponseEntity.BodyBuilder answer(HttpStatusCode status) {
		return ResponseEntity.status(status).cacheControl(CacheControl.noStore());
	}

	private Mono<Optional<RunAnswer>> wantedBy(String gatewayId) {
		return Mono.defer(() -> this.runs.get().wantedBy(gatewayId))
			.timeout(WANTED_TIMEOUT)
			.map(Optional::of)
			.doOnError((error) -> logger.debug("No run can be started through gateway {}", gatewayId, error))
			.onErrorReturn(Optional.empty())
			.defaultIfEmpty(Optional.empty());
	}

	/**
	 * Reads the values of the header {@value WarmupHeader#NAME}; empty for a user's
	 * request.
	 */
	Optional<WarmupHeader> header(List<String> values) {
		return (this.role == Role.OFF) ? Optional.empty() : WarmupHeader.parse(values);
	}

	/** Whether this header is another instance's. */
	boolean isMisdirected(WarmupHeader header) {
		return !header.instanceId().equals(this.state.instance().instanceId());
	}

	/** The mark of this instance's own warm-up; empty for a user's request. */
	Optional<WarmupContext> mark(WarmupHeader header) {
		return this.state.find(header.token());
	}

	/** What this application is. */
	enum Role {

		SERVICE, GATEWAY,

		/** Warm-up is off: there is nothing but the gate, which is open. */
		OFF

	}

}
