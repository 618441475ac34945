package dev.warmup.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What this instance says of itself: which process it is, its phase, its run and that
 * run's tokens. Thread-safe.
 */
public final class OwnState {

	/** An application that does not answer in time says what it said last. */
	private static final Duration READINESS_TIMEOUT = Duration.ofSeconds(1);

	/** Segments that need no escape, and are not of dots. */
	public static final Pattern PREFIX = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]{1,100}){0,10}");

	private final String boot = UUID.randomUUID().toString();

	private final Instance.Source self;

	private final Gate gate;

	private final UserReadiness readiness;

	private final Clock clock;

	private volatile Current current;

	private volatile boolean accepting;

	private final CompletableFuture<String> prefix = new CompletableFuture<>();

	public OwnState(Instance.Source self, Gate gate, UserReadiness readiness, Clock clock) {
		this.self = self;
		this.gate = gate;
		this.readiness = readiness;
		this.clock = clock;
		this.current = new Current(Phase.COLD, clock.instant(), null, null);
	}

	/** This instance's name. */
	public Instance instance() {
		return this.self.get();
	}

	public Phase phase() {
		return this.current.phase();
	}

	/** Since when the phase is what it is. */
	public Instant since() {
		return this.current.since();
	}

	/**
	 * A run begins: the phase is {@link Phase#WARMING}.
	 * @param progress what the run has done so far; called by any thread
	 * @return the tokens for the run's requests, valid until the run ends
	 */
	public Tokens beginRun(Supplier<RunRecord> progress) {
		Tokens tokens = new Tokens(progress.get().id());
		this.current = new Current(Phase.WARMING, this.clock.instant(), tokens, progress);
		return tokens;
	}

	/**
	 * The run has ended: its tokens are worth nothing from now on.
	 * @param run the whole run, with its verdict
	 * @param findings what the catalog lacks by now; called by any thread
	 */
	public void endRun(RunRecord run, Supplier<Optional<RunRecord.Findings>> findings) {
		this.current = new Current(Phase.after(run.verdict().orElse(Verdict.FAILED)), this.clock.instant(), null,
				() -> run.with(findings.get(), run.requests()));
	}

	/** A gateway has been warmed, by the runs of others. */
	public void warmed() {
		this.current = new Current(Phase.WARM, this.clock.instant(), null, null);
	}

	/** What gateways strip from the paths of requests, as one has sent it last. */
	public Optional<String> prefix() {
		return this.prefix.isDone() ? Optional.of(this.prefix.join()) : Optional.empty();
	}

	/** A gateway sends what it strips; ignored unless it is a path. */
	void prefix(@Nullable String stripped) {
		if (stripped != null && PREFIX.matcher(stripped).matches()) {
			this.prefix.obtrudeValue(stripped);
		}
	}

	/**
	 * Waits for a gateway to send what it strips, and assumes nothing after ten seconds.
	 */
	public String awaitPrefix() {
		return this.prefix.copy().completeOnTimeout("", 10, TimeUnit.SECONDS).join();
	}

	/** The run that this token belongs to, if it is one of this instance's run. */
	public Optional<WarmupContext> find(Token token) {
		return Optional.ofNullable(this.current.tokens())
			.filter((tokens) -> tokens.used.contains(token))
			.map((tokens) -> new WarmupContext(this.self.get().instanceId(), tokens.runId));
	}

	/** The run under way, otherwise the last one. */
	public Optional<RunRecord> run() {
		Supplier<RunRecord> run = this.current.run();
		return (run == null) ? Optional.empty() : Optional.of(run.get());
	}

	/**
	 * Reads the state as of now.
	 * @param gatewayId the gateway that reads it, whose token's hash is included
	 * @param wants the services from which this application wants a run
	 * @param answer to a gateway that wants a run
	 */
	public Mono<InstanceState> read(String gatewayId, Set<String> wants, Optional<RunAnswer> answer) {
		return this.readiness.acceptsUsers()
			.onErrorReturn(false)
			.defaultIfEmpty(false)
			.doOnNext((answered) -> this.accepting = answered)
			.timeout(READINESS_TIMEOUT, Mono.fromSupplier(() -> this.accepting))
			.map((accepts) -> state(gatewayId, accepts, wants, answer));
	}

	private InstanceState state(String gatewayId, boolean accepts, Set<String> wants, Optional<RunAnswer> answer) {
		Current now = this.current;
		Instance instance = this.self.get();
		return new InstanceState(instance.instanceId(), instance.service(), this.boot, now.phase(),
				this.gate.position(), accepts, this.gate.isLeaving(),
				Optional.ofNullable(now.tokens()).map((tokens) -> tokens.secret.forGateway(gatewayId).hash()), wants,
				answer, Optional.ofNullable(now.run()).map(Supplier::get).map(RunRecord::withoutRequests));
	}

	private record Current(Phase phase, Instant since, @Nullable Tokens tokens, @Nullable Supplier<RunRecord> run) {

	}

	/** The tokens of one run. Thread-safe. */
	public static final class Tokens {

		private final Token.Secret secret = Token.Secret.generate();

		private final Set<Token> used = ConcurrentHashMap.newKeySet();

		private final String runId;

		private Tokens(String runId) {
			this.runId = runId;
		}

		/**
		 * The token for requests through a gateway, which this instance knows from now
		 * on.
		 */
		public Token use(String gatewayId) {
			Token token = this.secret.forGateway(gatewayId);
			this.used.add(token);
			return token;
		}

	}

}
