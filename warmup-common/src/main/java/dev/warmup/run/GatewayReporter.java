package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.UserReadiness;
import dev.warmup.run.WarmupRunner.RunResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Reports runs to gateways, and announces to them that this instance takes users, or that
 * it stops. That its gate has opened is announced once, and only if the instance accepts
 * users: the registry decides all else. Thread-safe.
 */
final class GatewayReporter {

	private static final Logger logger = LoggerFactory.getLogger(GatewayReporter.class);

	/** Of a look-up of gateways while users may come. */
	private static final Duration RELOCATE_LIMIT = Duration.ofSeconds(2);

	/**
	 * How long gateways that could not be informed yet are waited for, and an instance
	 * that does not accept users.
	 */
	private static final Duration ANNOUNCE_LIMIT = Duration.ofSeconds(10);

	private static final Duration ANNOUNCE_PAUSE = Duration.ofSeconds(1);

	/** For a health check that hangs. */
	private static final Duration READINESS_LIMIT = Duration.ofSeconds(2);

	/** How long deregistering from all gateways may take. */
	static final Duration DEREGISTER_LIMIT = Duration.ofSeconds(2);

	/**
	 * How long a request may take from the gateway's choice of this instance until it
	 * arrives.
	 */
	static final Duration DEREGISTER_GRACE = Duration.ofMillis(500);

	private final Instance.Source instance;

	private final GatewayLocator gateways;

	private final GatewayClient client;

	private final Gate gate;

	private final UserReadiness readiness;

	private final Timing timing;

	/** Whether gateways were informed that the gate has opened. */
	private final AtomicBoolean announced = new AtomicBoolean();

	/** Sends the last reports again, with where the gate is then. */
	private volatile Function<Gate.Position, Flux<Boolean>> lastReports = (gate) -> Flux.empty();

	private final Disposable.Swap announcement = Disposables.swap();

	private boolean stopped;

	GatewayReporter(Instance.Source instance, GatewayLocator gateways, GatewayClient client, Gate gate,
			UserReadiness readiness, Timing timing) {
		this.instance = instance;
		this.gateways = gateways;
		this.client = client;
		this.gate = gate;
		this.readiness = readiness;
		this.timing = timing;
	}

	/**
	 * Reports a run that goes on while users come to every gateway, also those that the
	 * run does not go through, or that came later: each has users.
	 */
	Mono<Void> ramping(RunRecord soFar, List<Gateway> all) {
		return announcing((gate) -> locateAgain(all).flatMapIterable((found) -> found)
			.flatMap((gateway) -> report(gateway, Phase.RAMPING, gate, soFar), Integer.MAX_VALUE));
	}

	/** The gateways of now; the same as before where discovery does not have them. */
	private Mono<List<Gateway>> locateAgain(List<Gateway> before) {
		return Mono.defer(() -> this.gateways.locate().timeout(RELOCATE_LIMIT, this.timing.scheduler()))
			.doOnError((error) -> logger.debug("Gateways that came later do not get the report", error))
			.onErrorComplete()
			.filter((found) -> !found.isEmpty())
			.defaultIfEmpty(before);
	}

	/**
	 * Reports the end of a run to the gateways it went through, and to all others if its
	 * gate has opened.
	 */
	Mono<Void> ended(List<RunResult> results, Budget budget) {
		return announcing((gate) -> Flux.merge(report(results, gate), reportToOthers(results, gate, budget)));
	}

	/** Reports results to the gateways they went through. */
	Flux<Boolean> report(List<RunResult> results, Gate.Position gate) {
		return Flux.fromIterable(results).flatMap((result) -> report(result, gate), Integer.MAX_VALUE);
	}

	/**
	 * Gateways that a run did not go through, or all if it went through none, get a
	 * report only if it announces that the gate has opened, and once they know the
	 * instance: they may still have it as deregistered. It is not warm through them.
	 */
	private Flux<Boolean> reportToOthers(List<RunResult> results, Gate.Position gate, Budget budget) {
		if (gate == Gate.Position.CLOSED) {
			return Flux.empty();
		}
		RunRecord run = results.get(0).run();
		List<Gateway> through = results.stream().flatMap((result) -> Stream.ofNullable(result.gateway())).toList();
		Phase phase = through.isEmpty() ? phaseAfter(run) : Phase.RAMPING;
		Budget limit = Budget.start(ANNOUNCE_LIMIT, this.timing.nanoTime());
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.filter((gateway) -> !through.contains(gateway))
			.flatMap((gateway) -> isRegistered(gateway, limit).filter(Boolean::booleanValue)
				.flatMap((known) -> report(gateway, phase, gate, run)), Integer.MAX_VALUE)
			.take(ANNOUNCE_LIMIT, this.timing.scheduler())
			.takeUntilOther(budget.whenStopped())
			.onErrorResume((error) -> {
				logger.debug("Gateways are not informed that the gate is open: {}", error.toString());
				return Flux.empty();
			});
	}

	/**
	 * Sends reports, and again once users are accepted if they were not by then. They
	 * take the place of earlier ones that are being sent, which may not come after them.
	 */
	private Mono<Void> announcing(Function<Gate.Position, Flux<Boolean>> reports) {
		this.lastReports = reports;
		this.announcement.update(Disposables.disposed());
		return send(reports).filter(Gate.Position.CLOSED::equals).doOnNext((gate) -> announceLater()).then();
	}

	/**
	 * Sends reports, one of which announces that the gate has opened if the instance
	 * accepts users; the next ones do where no gateway accepts that.
	 * @return where the gate is by these reports
	 */
	private Mono<Gate.Position> send(Function<Gate.Position, Flux<Boolean>> reports) {
		return Mono.defer(() -> isOpeningDue() ? acceptsUsers(Level.INFO) : Mono.just(false))
			.flatMap((accepts) -> (accepts && this.announced.compareAndSet(false, true)) ? sendOpen(reports)
					: reports.apply(Gate.Position.CLOSED).then(Mono.just(Gate.Position.CLOSED)));
	}

	private Mono<Gate.Position> sendOpen(Function<Gate.Position, Flux<Boolean>> reports) {
		AtomicBoolean accepted = new AtomicBoolean();
		return Mono.using(() -> accepted,
				(any) -> reports.apply(Gate.Position.OPEN)
					.doOnNext((taken) -> accepted.compareAndSet(false, taken))
					.then(Mono.just(Gate.Position.OPEN)),
				(known) -> this.announced.set(known.get()));
	}

	/**
	 * Announces in the background that the gate is open, unless gateways know: the
	 * application may accept users later than that, for which it has ten seconds.
	 */
	synchronized void announceLater() {
		if (this.stopped || !isOpeningDue()) {
			return;
		}
		Scheduler scheduler = this.timing.scheduler();
		this.announcement.update(acceptsUsers(Level.DEBUG).filter(Boolean::booleanValue)
			.repeatWhenEmpty((times) -> times.delayElements(ANNOUNCE_PAUSE, scheduler))
			.take(ANNOUNCE_LIMIT, scheduler)
			.filter((accepts) -> this.announced.compareAndSet(false, true))
			.flatMap((accepts) -> sendOpen(this.lastReports))
			.subscribe());
	}

	/** Lets nothing be announced in the background until {@link #resume()}. */
	synchronized void stop() {
		this.stopped = true;
		this.announcement.update(Disposables.disposed());
	}

	synchronized void resume() {
		this.stopped = false;
	}

	private boolean isOpeningDue() {
		return this.gate.isEnabled() && this.gate.isOpen() && !this.announced.get();
	}

	private Mono<Boolean> isRegistered(Gateway gateway, Budget limit) {
		return Mono
			.defer(() -> this.client.checkRegistration(gateway,
					this.client.claim(gateway, this.instance.get().instanceId(), SignedClaim.Scope.REPLAY,
							WarmupRunner.newId())))
			.thenReturn(true)
			.onErrorReturn(GatewayClient.UnsupportedException.class, false)
			.retryWhen(Retries.waitingFor("registration at the gateway", limit, this.timing.scheduler()))
			.onErrorReturn(false);
	}

	private Mono<Boolean> acceptsUsers(Level unknown) {
		return this.readiness.acceptsUsers()
			.timeout(READINESS_LIMIT, this.timing.scheduler())
			.doOnError((error) -> logger.atLevel(unknown)
				.log("Gateways are not asked to route users here, since it is not known whether this instance accepts "
						+ "them: {}", error.toString()))
			.onErrorReturn(false);
	}

	/** Reports a result to the gateway it went through, if any; whether that took it. */
	Mono<Boolean> report(RunResult result, Gate.Position gate) {
		return (result.gateway() == null) ? Mono.empty()
				: report(result.gateway(), phaseAfter(result.run()), gate, result.run());
	}

	private static Phase phaseAfter(RunRecord run) {
		return Phase.after(List.of(run.verdict())).orElse(Phase.COLD);
	}

	private Mono<Boolean> report(Gateway gateway, Phase phase, Gate.Position gate, RunRecord run) {
		Instance self = this.instance.get();
		return this.client.report(gateway, new RunReport(self.service(), self.instanceId(), phase, gate, run));
	}

	/**
	 * Announces to every gateway that this instance is about to stop, and waits a moment
	 * for the requests already routed to it. An instance whose gate is closed has no
	 * users, and does not deregister.
	 * @return completes when the web server may stop; never fails
	 */
	Mono<Void> deregister() {
		Scheduler scheduler = this.timing.scheduler();
		return Flux.defer(() -> this.gate.isOpen() ? deregisterFromAll() : Flux.empty())
			.filter((confirmed) -> confirmed)
			.take(DEREGISTER_LIMIT, scheduler)
			.onErrorResume((error) -> {
				logger.debug("This instance is not deregistered from the gateways: {}", error.toString());
				return Flux.empty();
			})
			.count()
			.filter((confirmed) -> confirmed > 0)
			.doOnNext((confirmed) -> logger.info("Deregistered; gateways that send no more users here: {}", confirmed))
			.delayElement(DEREGISTER_GRACE, scheduler)
			.then();
	}

	private Flux<Boolean> deregisterFromAll() {
		String instanceId = this.instance.get().instanceId();
		String id = WarmupRunner.newId();
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.flatMap((gateway) -> this.client.deregister(gateway,
					this.client.claim(gateway, instanceId, SignedClaim.Scope.LEAVE, id)), Integer.MAX_VALUE);
	}

}
