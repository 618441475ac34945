package dev.warmup.run;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.warmup.Gateway;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Template;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.run.Progress.RequestFigures;
import dev.warmup.run.Turns.Turn;
import dev.warmup.service.OwnState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * One warm-up run, from its trigger to its verdict. {@link #execute} is the table of
 * contents, and the steps follow in its order: the plan, the tasks, the gateways, the
 * replay by turns, one request in flight, and the conclusion. {@link RunEnd} decides when
 * the gate opens and when the run ends.
 */
final class WarmupRun {

	/** For the request in flight when the run is stopped. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	/** How long the last requests of a run may take beyond its deadline. */
	private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

	/** Of one lookup of gateways, so that one that hangs is repeated. */
	private static final Duration LOCATE_LIMIT = Duration.ofSeconds(10);

	/** While there is nothing to send, until it looks again. */
	private static final Duration PAUSE = Duration.ofMillis(200);

	/** Until a request is sent again that the gateway's admission has refused. */
	private static final Duration ADMISSION_PAUSE = Duration.ofMillis(50);

	private static final Logger logger = LoggerFactory.getLogger(WarmupRun.class);

	private final RunParts parts;

	private final String id;

	private final Trigger trigger;

	private final @Nullable Gateway only;

	/** Whether a gateway runs through itself, by the scenarios that name it. */
	private final boolean own;

	private final RunEnd.Kind kind;

	private final Turns turns = new Turns();

	private final Sinks.Empty<Void> stop = Sinks.empty();

	private final Sinks.Empty<Void> ended = Sinks.empty();

	private volatile boolean stopped;

	private volatile boolean gatewayWaits;

	private volatile Progress progress;

	private volatile OwnState.@Nullable Tokens tokens;

	private volatile boolean skipped;

	private volatile @Nullable Catalog catalog;

	/** When the gate opened, if that was during this run. */
	private volatile @Nullable Instant openedAt;

	/** Why it has waited, each logged once. */
	private final Set<String> waits = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a run.
	 * @param only the only gateway to go through, which has asked for the run; without
	 * it, all
	 */
	WarmupRun(RunParts parts, String id, Trigger trigger, @Nullable Gateway only) {
		this.parts = parts;
		this.id = id;
		this.trigger = trigger;
		this.only = only;
		this.own = only != null && only.id().equals(parts.state().instance().instanceId());
		this.kind = (only != null || trigger == Trigger.IDLE || trigger == Trigger.MANUAL) ? RunEnd.Kind.OTHER
				: (trigger == Trigger.TRAIN) ? RunEnd.Kind.TRAINING : RunEnd.Kind.STARTUP;
		this.progress = new Progress(id, trigger, List.of(), parts.settings(), parts.clock());
	}

	/**
	 * Runs, no longer than its deadline and a few seconds, whatever hangs.
	 * @return the whole run; never fails
	 */
	Mono<RunRecord> execute() {
		Mono<Void> run = loadCatalog().filter(this::hasSomethingToDo)
			.flatMap((catalog) -> begin().then(runTasks())
				.then(locate())
				.thenMany(
						Mono.defer(() -> replay(catalog)).subscribeOn(Schedulers.boundedElastic()).repeat(this::goesOn))
				.then());
		return Mono.firstWithSignal(run, deadline())
			.onErrorResume(this::aborted)
			.then(Mono.fromSupplier(this::conclude))
			.doFinally((signal) -> this.ended.tryEmitEmpty());
	}

	/**
	 * Ends the run: what is under way is canceled, and {@code finally} requests are sent.
	 * @return completes once the run is over
	 */
	Mono<Void> stop() {
		this.stopped = true;
		this.stop.tryEmitEmpty();
		return this.ended.asMono();
	}

	/** A gateway waits for a run through it, which begins when this one is over. */
	void gatewayWaits() {
		this.gatewayWaits = true;
	}

	/** Apart from the run: users may come even where that hangs, or signals nothing. */
	private Mono<Void> deadline() {
		return Mono.delay(this.parts.settings().deadline(), this.parts.scheduler()).doOnNext((tick) -> {
			stop();
			if (this.parts.settings().opensOnFailure() && !this.parts.gate().isOpen()) {
				logger.warn("The gate opens at its deadline of {} s; the warm-up run is not over yet",
						this.parts.settings().deadline().toSeconds());
				openGate();
			}
		}).then(Mono.delay(LAST_ANSWERS, this.parts.scheduler())).then();
	}

	/** Changes nothing once the application stops. */
	private void openGate() {
		if (!this.parts.gate().isOpen()) {
			this.openedAt = this.parts.clock().instant();
			this.progress.gateOpens();
			this.parts.gate().open();
			this.parts.news().send();
		}
	}

	/** Whatever happens, a run ends in a verdict, and the application goes on. */
	private Mono<Void> aborted(Throwable error) {
		logger.error("The warm-up run was aborted; the application continues", error);
		this.progress.obstacle("the run was aborted: " + error);
		return Mono.empty();
	}

	private Mono<Catalog> loadCatalog() {
		this.progress.obstacle("the catalog was not read in time");
		return Mono.fromCallable(this.parts.catalogs()::current).subscribeOn(Schedulers.boundedElastic());
	}

	/** Whether there is something to send, and somewhere to send it. */
	private boolean hasSomethingToDo(Catalog catalog) {
		this.catalog = catalog;
		String service = this.parts.state().instance().service();
		this.progress = new Progress(this.id, this.trigger,
				this.own ? catalog.scenariosNaming(service, this.trigger) : catalog.scenariosFor(service, this.trigger),
				this.parts.settings(), this.parts.clock());
		if (this.progress.isEmpty()) {
			this.progress.obstacle(catalog.location() + (catalog.scenarios().isEmpty()
					? " is missing or has no scenarios" : " has no scenario for %s with 'when: %s'".formatted(service,
							this.trigger.replays().name().toLowerCase(Locale.ROOT))));
			this.skipped = true;
			return false;
		}
		boolean somewhere = this.only != null || this.parts.gateways().isAvailable();
		this.progress.obstacle(somewhere ? "nothing was answered in time" : this.parts.gateways().description());
		this.skipped = !somewhere && this.parts.settings().opensOnFailure();
		return somewhere;
	}

	private Mono<Void> begin() {
		return Mono.fromRunnable(() -> {
			Progress under = this.progress;
			this.tokens = this.parts.state().beginRun(() -> under.record(Optional.empty()));
			logger.info("{}", StatusLine.warming(this.parts.state().instance()));
			this.parts.news().send();
		});
	}

	private Mono<Void> runTasks() {
		return (this.only != null) ? Mono.empty() : this.parts.tasks().run().takeUntilOther(this.stop.asMono()).then();
	}

	/** Looks for gateways once; nothing changes where it cannot look, or finds none. */
	private Mono<Void> locate() {
		Mono<List<Gateway>> located = (this.only != null) ? Mono.just(List.of(this.only))
				: Mono.defer(this.parts.gateways()::locate).timeout(LOCATE_LIMIT, this.parts.scheduler());
		return located.doOnNext((found) -> {
			this.turns.located(found);
			if (found.isEmpty()) {
				waitFor("no gateway was found: there are no " + this.parts.gateways().description());
			}
		}).onErrorResume((error) -> {
			waitFor("cannot look for %s: %s".formatted(this.parts.gateways().description(),
					GatewayClient.rootMessage(error)));
			return Mono.empty();
		}).takeUntilOther(this.stop.asMono()).then();
	}

	private void waitFor(String reason) {
		this.progress.obstacle(reason);
		if (this.waits.add(reason)) {
			logger.info("The warm-up run tries again later: {}", reason);
		}
	}

	private boolean goesOn() {
		RunEnd.Decision decision = RunEnd.decide(snapshot());
		if (decision == RunEnd.Decision.OPEN_GATE) {
			openGate();
		}
		return decision != RunEnd.Decision.END;
	}

	private RunEnd.Snapshot snapshot() {
		Instant opened = this.openedAt;
		boolean userCame = this.parts.users()
			.last()
			.filter((last) -> opened == null || last.isAfter(opened))
			.isPresent();
		boolean gateOpen = this.parts.gate().isOpen();
		return this.progress.snapshot(this.kind, this.stopped || this.turns.isHopeless(), gateOpen,
				gateOpen && (userCame || this.gatewayWaits));
	}

	/** One repetition, or a wait for what it needs. */
	private Mono<Void> replay(Catalog catalog) {
		Instant now = this.parts.clock().instant();
		if (this.turns.due(0, now).isEmpty()) {
			return pause().then(locate());
		}
		return this.progress.next()
			.flatMap((share) -> this.turns.due(share.turn(), now)
				.map((turn) -> replay(share, new Repetition(turn, Template.Scope.of(catalog)))))
			.orElseGet(this::pause);
	}

	private Mono<Void> pause() {
		return Mono.delay(PAUSE, this.parts.scheduler()).takeUntilOther(this.stop.asMono()).then();
	}

	/** Requests in order, whatever became of those before, and then what cleans up. */
	private Mono<Void> replay(Progress.Share share, Repetition repetition) {
		Turn turn = repetition.turn;
		return Flux.fromIterable(share.requests())
			.takeWhile((request) -> !this.stopped && !isLeftOut(turn))
			.filter(this.progress::isDue)
			.concatMap((request) -> send(request, repetition).takeUntilOther(this.stop.asMono().then(grace())), 0)
			.then(Mono
				.defer(() -> repetition.sent ? cleanUp(share, repetition) : isLeftOut(turn) ? Mono.empty() : pause()))
			.doOnSuccess((done) -> {
				if (!repetition.problem.isEmpty() && !isLeftOut(turn)) {
					leaveOut(turn, repetition.problem, false);
				}
			});
	}

	/** Lets the request in flight be answered, so that what it made can be removed. */
	private Mono<Long> grace() {
		return Mono.delay(GRACE, this.parts.scheduler());
	}

	/** Through another gateway where this one does not answer anymore. */
	private Mono<Void> cleanUp(Progress.Share share, Repetition repetition) {
		if (isLeftOut(repetition.turn)) {
			repetition.turn = this.turns.due(0, this.parts.clock().instant()).orElse(repetition.turn);
		}
		return Flux.fromIterable(share.cleanup()).concatMap((request) -> send(request, repetition), 0).then();
	}

	private boolean isLeftOut(Turn turn) {
		return turn.isLeftOut(this.parts.clock().instant());
	}

	private void leaveOut(Turn turn, String reason, boolean lasting) {
		this.turns.leaveOut(turn, reason, lasting, this.parts.clock().instant());
		waitFor(reason);
	}

	/** What a gateway answers counts once it has shown a route. */
	private Mono<Void> send(RequestFigures request, Repetition repetition) {
		return Mono.defer(() -> !request.template().renderable(repetition.scope) ? Mono.just(new Outcome.NotSent(""))
				: introduce(repetition.turn).publishOn(Schedulers.boundedElastic())
					.flatMap((mark) -> exchange(request.template(), repetition, mark)))
			.doOnNext((outcome) -> {
				if (outcome instanceof Outcome.Expected answer) {
					repetition.scope = repetition.scope.with(answer.captured());
				}
				if (repetition.turn.isReached(outcome)) {
					repetition.problem = "";
					count(request, outcome, repetition.turn);
				}
				else if (repetition.problem.isEmpty() && !outcome.problem().isEmpty()) {
					repetition.problem = "%s through gateway %s: %s".formatted(request.describe(), repetition.turn.id(),
							outcome.problem());
				}
			})
			.then();
	}

	/**
	 * Emits what marks requests to a gateway, once it knows this run, as this application
	 * itself does; a gateway that does not is left out.
	 */
	private Mono<WarmupHeader> introduce(Turn turn) {
		String instanceId = this.parts.state().instance().instanceId();
		Mono<GatewayClient.NewsAnswer> news = turn.mark().isPresent() ? Mono.empty()
				: this.own ? Mono.just(new GatewayClient.NewsAnswer(Optional.of(instanceId), "", false))
						: this.parts.client().news(turn.gateway(), instanceId);
		return news.doOnNext((answer) -> {
			OwnState.Tokens current = this.tokens;
			if (answer.gatewayId().isEmpty() || current == null) {
				leaveOut(turn, answer.problem(), answer.lasting());
			}
			else {
				String gatewayId = answer.gatewayId().get();
				turn.introduced(gatewayId, new WarmupHeader(instanceId, current.use(gatewayId)));
			}
		}).then(Mono.defer(() -> Mono.justOrEmpty(turn.mark())));
	}

	/**
	 * Sends a request, and once more where the gateway does not know the token anymore.
	 * After a lost answer, too, the gateway gets news first.
	 */
	private Mono<Outcome> exchange(RequestTemplate request, Repetition repetition, WarmupHeader mark) {
		Turn turn = repetition.turn;
		WebClient.RequestHeadersSpec<?> prepared;
		try {
			prepared = this.parts.client().prepare(turn.gateway(), request, repetition.scope);
		}
		catch (UncheckedIOException ex) {
			return Mono.just(new Outcome.NotSent("was not sent: " + ex.getMessage()));
		}
		repetition.sent = true;
		return admitted(prepared, mark, request.timeout()).flatMap((answer) -> {
			if (!answer.isRejected()) {
				return Mono.just(answer);
			}
			turn.forget();
			return introduce(turn).flatMap((renewed) -> admitted(prepared, renewed, request.timeout()))
				.defaultIfEmpty(answer);
		}).map((answer) -> Outcome.of(answer, request, this.parts.state().instance())).onErrorResume((error) -> {
			turn.forget();
			return Mono.just(new Outcome.Unanswered(GatewayClient.rootMessage(error)));
		});
	}

	/** Waits while the gateway's admission asks for it. */
	private Mono<GatewayClient.Answer> admitted(WebClient.RequestHeadersSpec<?> prepared, WarmupHeader mark,
			Duration timeout) {
		return this.parts.client().send(prepared, Optional.of(mark), timeout).filter((answer) -> {
			if (answer.isAdmission()) {
				this.progress.waited(answer.latency().plus(ADMISSION_PAUSE));
			}
			return !answer.isAdmission();
		}).repeatWhenEmpty((refusals) -> refusals.delayElements(ADMISSION_PAUSE, this.parts.scheduler()));
	}

	private void count(RequestFigures request, Outcome outcome, Turn turn) {
		this.progress.add(request, outcome, turn.id());
		String result = (outcome instanceof Outcome.Expected) ? "expected"
				: (outcome instanceof Outcome.Unexpected) ? "unexpected" : "failed";
		String name = request.template().name();
		logger.debug("{}/{}: {} {}", request.scenario(), name, result, outcome.problem());
		if (!(outcome instanceof Outcome.NotSent)) {
			this.parts.events().publishEvent(new RequestSent(request.scenario(), name, result, outcome.latency()));
		}
	}

	/** The verdict, the phase, the gate by policy, and whoever wants to know. */
	private RunRecord conclude() {
		this.turns.problems().forEach((problem) -> logger.warn("A gateway was left out: {}", problem));
		Verdict verdict = this.skipped ? Verdict.SKIPPED : RunEnd.verdict(snapshot());
		boolean counts = verdict != Verdict.SKIPPED || this.kind != RunEnd.Kind.OTHER;
		boolean opens = counts
				&& (this.parts.settings().opensOnFailure() || verdict == Verdict.WARM || verdict == Verdict.SKIPPED);
		if (opens && !this.parts.gate().isOpen()) {
			this.progress.gateOpens();
		}
		RunRecord ended = this.progress.record(Optional.of(verdict));
		Catalog read = this.catalog;
		Supplier<Optional<RunRecord.Findings>> findings = () -> Optional.ofNullable(read)
			.flatMap(this.parts.findings()::findings);
		if (counts) {
			this.parts.state().endRun(ended, findings); // anew each time, as users go on
		}
		logger.info("{}", StatusLine.ended(this.parts.state().instance(), ended));
		if (opens) {
			openGate();
		}
		this.parts.news().send();
		return ended.with(findings.get(), ended.requests());
	}

	/** One repetition of a scenario through a gateway, one request at a time. */
	private static final class Repetition {

		private volatile Turn turn;

		/** What is captured by now. */
		private volatile Template.Scope scope;

		/** Whether any of its requests was sent, answered or not. */
		private volatile boolean sent;

		/** What came first in place of an answer that shows a route. */
		private volatile String problem = "";

		private Repetition(Turn turn, Template.Scope scope) {
			this.turn = turn;
			this.scope = scope;
		}

	}

}
