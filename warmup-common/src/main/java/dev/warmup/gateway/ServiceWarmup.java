package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Has one service warm the gateway: asks its instances in random order, three at most,
 * until one starts a run, and waits for that run's report.
 */
public final class ServiceWarmup {

	private static final int MOST_ASKED = 3;

	private static final Duration POLL = Duration.ofMillis(250);

	private final InstanceWarmupClient asker;

	private final Fleet fleet;

	private final GatewayWarmupSchedule agenda;

	private final Duration limit;

	private final Scheduler scheduler;

	/**
	 * Creates the asking.
	 * @param asker asks an instance
	 * @param fleet is told of the reports
	 * @param agenda takes notes
	 * @param limit how long a report is waited for
	 * @param scheduler the source of time for waiting
	 */
	public ServiceWarmup(InstanceWarmupClient asker, Fleet fleet, GatewayWarmupSchedule agenda, Duration limit,
			Scheduler scheduler) {
		this.asker = asker;
		this.fleet = fleet;
		this.agenda = agenda;
		this.limit = limit;
		this.scheduler = scheduler;
	}

	/**
	 * Asks if the agenda says so.
	 * @param service whom to ask
	 * @param instances its instances
	 * @return completes when nothing is to be done or the run is over; never fails
	 */
	Mono<Void> ask(String service, List<ServiceInstance> instances) {
		return Mono.defer(() -> Mono.justOrEmpty(this.agenda.takeUp(service)))
			.flatMap((trigger) -> ask(service, instances, trigger).doFinally((signal) -> this.agenda.ended(service)));
	}

	private Mono<Void> ask(String service, List<ServiceInstance> instances, Trigger trigger) {
		List<ServiceInstance> shuffled = new ArrayList<>(instances);
		Collections.shuffle(shuffled);
		return Flux.fromIterable(shuffled)
			.take(MOST_ASKED)
			.concatMap((instance) -> this.asker.ask(instance, trigger), 1)
			.takeUntil(GatewayWarmupResult.Started.class::isInstance)
			.last(new GatewayWarmupResult.Unable(service + " has no instance"))
			.flatMap((answer) -> (answer instanceof GatewayWarmupResult.Started started)
					? outcome(service, started.run()) : Mono.just(answer))
			.onErrorResume(
					(error) -> Mono.just(new GatewayWarmupResult.Unable("asking " + service + " broke off: " + error)))
			.doOnNext((answer) -> this.agenda.note(service, answer))
			.then();
	}

	private Mono<GatewayWarmupResult> outcome(String service, String run) {
		return Flux.interval(POLL, this.scheduler)
			.onBackpressureDrop()
			.concatMap((tick) -> Mono.justOrEmpty(this.fleet.run(run)))
			.next()
			.timeout(this.limit, Mono.empty(), this.scheduler)
			.map((reported) -> outcome(service, run, reported.verdict()))
			.defaultIfEmpty(new GatewayWarmupResult.Unable(
					"%s reported nothing of run %s within %d s".formatted(service, run, this.limit.toSeconds())));
	}

	private static GatewayWarmupResult outcome(String service, String run, Verdict verdict) {
		return switch (verdict) {
			case FAILED -> new GatewayWarmupResult.Unable("run " + run + " of " + service + " failed");
			case SKIPPED -> new GatewayWarmupResult.Refused(service + " has nothing to send");
			default -> new GatewayWarmupResult.CameThrough(verdict);
		};
	}

}
