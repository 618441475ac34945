package dev.warmup.gateway;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLException;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Registered;
import dev.warmup.registry.Registry;
import io.netty.channel.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Reads the states of instances at the addresses that the registry has: one look at a
 * time for an instance, and ten a second in all, in the order in which they were wanted.
 * Does nothing by itself. Thread-safe.
 */
final class Looks {

	private static final Logger logger = LoggerFactory.getLogger(Looks.class);

	private static final int MAX_PER_SECOND = 10;

	/** Regular looks leave as many to news and to users. */
	private static final int MAX_REGULAR = 5;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/** An instance reads the gateway's state before it answers. */
	private static final Duration WANTS_TIMEOUT = Duration.ofSeconds(6);

	private final Registry registry;

	private final Fleet fleet;

	private final WebClient client;

	private final Instance.Source self;

	private final StrippedPrefixes prefixes;

	private final Clock clock;

	/** When the last looks begin, the oldest first. */
	private final Deque<Instant> begins = new ArrayDeque<>();

	/**
	 * Creates the looks.
	 * @param client follows no redirect, and reads 64 KiB at most
	 * @param self this gateway's name
	 */
	Looks(Registry registry, Fleet fleet, WebClient client, Instance.Source self, StrippedPrefixes prefixes,
			Clock clock) {
		this.registry = registry;
		this.fleet = fleet;
		this.client = client;
		this.self = self;
		this.prefixes = prefixes;
		this.clock = clock;
	}

	/** This gateway's name. */
	Instance gateway() {
		return this.self.get();
	}

	/**
	 * Takes the registry's copy, without gateways, and looks at whom a look is due for:
	 * to be called each second.
	 */
	void lookAround() {
		try {
			this.fleet.stream()
				.filter(Member::isGone)
				.forEach((member) -> this.registry.gone(member.instance().instanceId()));
			boolean read = this.registry.isRead();
			this.fleet.update(this.registry.instances().stream().filter((each) -> !each.isGateway()).toList(), read);
			Instant now = this.clock.instant();
			this.fleet.stream()
				.filter((member) -> !member.nextLook().isAfter(now))
				.sorted(Comparator.comparing(Member::nextLook))
				.limit(MAX_REGULAR)
				.forEach(this::lookAgain);
		}
		catch (RuntimeException ex) { // the next tick repairs it
			logger.warn("Could not read the registry's copy", ex);
		}
	}

	/**
	 * There is news of an instance: looks at the address that the registry's copy has for
	 * it, and where that does not list it as up or it does not answer there, at the one
	 * that the registry itself has.
	 * @return what was found, or nothing if the registry does not know the instance
	 */
	Mono<Look> news(String instanceId) {
		return Mono.justOrEmpty(known(instanceId))
			.filter((member) -> member.registered().status() == Registered.Status.UP)
			.flatMap((member) -> look(member, false))
			.filter((look) -> look.state() != null)
			.switchIfEmpty(Mono.defer(() -> this.registry.read(instanceId))
				.onErrorReturn(Optional.empty())
				.flatMap((read) -> Mono.justOrEmpty(read.flatMap(this::member).or(() -> known(instanceId))))
				.flatMap((member) -> look(member, false)));
	}

	private Optional<Member> known(String instanceId) {
		return this.fleet.find(instanceId).or(() -> this.registry.known(instanceId).flatMap(this::member));
	}

	private Optional<Member> member(Registered registered) {
		return registered.isGateway() ? Optional.empty() : Optional.of(this.fleet.member(registered));
	}

	/**
	 * Looks at an instance once more, unless that was done within the last second.
	 * Callers share a look that has begun.
	 */
	synchronized Mono<Void> lookAgain(Member member) {
		if (!member.pending.last.isDone()) {
			return Mono.fromFuture(member.pending.last, true).then();
		}
		return member.mayLookAgain() ? look(member, false).then() : Mono.empty();
	}

	/**
	 * Looks at an instance before a user goes there, for two seconds at most. Completes
	 * at once where the registry does not know it.
	 */
	Mono<Void> lookBeforeUser(ServiceInstance chosen) {
		return Mono.justOrEmpty(Optional.ofNullable(chosen.getInstanceId()).flatMap(this::known))
			.flatMap(this::lookAgain)
			.timeout(TIMEOUT, Mono.empty());
	}

	/**
	 * Looks at a member, anew: at each call, the look begins later. Callers who come
	 * before it begins share it, and it goes on when they cancel.
	 * @param wants whether to ask for a run
	 */
	synchronized Mono<Look> look(Member member, boolean wants) {
		if (member.pending.waiting != null && !wants) {
			return Mono.fromFuture(member.pending.waiting, true);
		}
		CompletableFuture<Look> look = new CompletableFuture<>();
		Mono.fromFuture(member.pending.last, true)
			.then(Mono.defer(this::slot))
			.then(Mono.defer(() -> begin(member, wants)))
			.onErrorResume((error) -> { // such as an address that is no URI
				this.fleet.failed(member, false);
				return Mono.just(Look.failed(error.toString()));
			})
			.subscribe(look::complete);
		member.pending.waiting = look;
		member.pending.last = look;
		return Mono.fromFuture(look, true);
	}

	/** The first time at which fewer than ten others began within a second. */
	private synchronized Mono<Long> slot() {
		Instant now = this.clock.instant();
		Instant free = (this.begins.size() == MAX_PER_SECOND) ? this.begins.remove().plus(SECOND) : now;
		Instant begin = free.isAfter(now) ? free : now;
		this.begins.add(begin);
		return Mono.delay(Duration.between(now, begin));
	}

	private Mono<Look> begin(Member member, boolean wants) {
		synchronized (this) {
			member.pending.waiting = null;
		}
		member.lookBegins();
		return request(member.registered(), wants).doOnNext((result) -> take(member, result))
			.map((result) -> member.isGone() ? result : result.mayPass());
	}

	private Mono<Look> request(Registered at, boolean wants) {
		String gateway = this.self.get().instanceId();
		URI uri = UriComponentsBuilder.fromUri(at.base())
			.path(InstanceState.PATH)
			.queryParam(InstanceState.GATEWAY_PARAMETER, UriUtils.encode(gateway, StandardCharsets.UTF_8))
			.queryParam(InstanceState.WANTS_PARAMETER, wants)
			.queryParamIfPresent(InstanceState.PREFIX_PARAMETER, this.prefixes.of(at.instance().service()))
			.build(true)
			.toUri();
		return this.client.get()
			.uri(uri)
			.header(WarmupHeader.GATEWAY, gateway)
			.exchangeToMono((response) -> read(response, at))
			.timeout(wants ? WANTS_TIMEOUT : TIMEOUT)
			.onErrorResume((error) -> Mono.just(Look.of(error, at.address())));
	}

	private static Mono<Look> read(ClientResponse response, Registered at) {
		int status = response.statusCode().value();
		Look other = (status == HttpStatus.NOT_FOUND.value() || !at.hasLibrary()) ? Look.PLAIN
				: Look.failed("it answers " + status + " without a state");
		if (status != HttpStatus.OK.value()) {
			return response.releaseBody().thenReturn(other);
		}
		return response.bodyToMono(byte[].class).map(InstanceState::fromJson).map((state) -> {
			boolean asked = state.instanceId().equals(at.instance().instanceId());
			return asked ? new Look(state, false, "", null)
					: new Look(null, true, Look.UNREAD + "another instance answers there", null);
		}).onErrorReturn(other).defaultIfEmpty(other);
	}

	private void take(Member member, Look look) {
		if (look.state() != null) {
			this.fleet.found(member, look.state());
		}
		else if (look.equals(Look.PLAIN)) {
			this.fleet.foundPlain(member);
		}
		else {
			this.fleet.failed(member, look.absent());
			logger.debug("Could not look at {}: {}", member.instance(), look.problem());
		}
	}

	/** Whether the other side refused a connection, or cut it. */
	private static boolean isRefused(Throwable error) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(error);
		return cause instanceof IOException && !(cause instanceof SSLException || cause instanceof UnknownHostException
				|| cause instanceof ConnectTimeoutException);
	}

	/** Whether no connection could be made, so that nothing was sent. */
	static boolean isUnreachable(@Nullable Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof ConnectException || cause instanceof NoRouteToHostException
					|| cause instanceof UnknownHostException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * What a look found.
	 *
	 * @param state the state, or null if there is none
	 * @param absent whether there is certainly no such instance
	 * @param problem what is wrong, said of this gateway; empty where there is a state
	 * @param refusing the host that keeps refusing or cutting connections, or null
	 */
	record Look(@Nullable InstanceState state, boolean absent, String problem, @Nullable String refusing) {

		private static final String UNREAD = "cannot read this instance's state at its registered address: ";

		private static final Look PLAIN = failed("it answers 404, as an application without the library");

		/** The same, but of a failure that is not known to last. */
		Look mayPass() {
			return new Look(this.state, this.absent, this.problem, null);
		}

		static Look of(Throwable error, ServiceInstance at) {
			String refusing = isRefused(error) ? at.getHost() : null;
			boolean absent = isUnreachable(error);
			return (refusing != null || absent)
					? new Look(null, absent,
							"cannot reach %s:%d: NetworkPolicy, or a sidecar mesh with STRICT mTLS"
								.formatted(at.getHost(), at.getPort()),
							refusing)
					: failed("it does not answer in time (a NetworkPolicy may drop packets), or not with a state");
		}

		static Look failed(String problem) {
			return new Look(null, false, UNREAD + problem, null);
		}

	}

	/** The looks at one instance. Guarded by the looks. */
	static final class Pending {

		/** Has not begun. */
		private @Nullable CompletableFuture<Look> waiting;

		private CompletableFuture<?> last = CompletableFuture.completedFuture(true);

	}

}
