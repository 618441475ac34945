package dev.warmup.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Several sights of one run. One that fails is logged; run and other sights go on. */
final class Observations implements RunObserver.Observation {

	private static final Logger logger = LoggerFactory.getLogger(Observations.class);

	private final List<RunObserver.Observation> sights = new ArrayList<>();

	private Observations(List<RunObserver> watches, String run, RunRecorder recorder) {
		tell(watches, (watch) -> this.sights.add(watch.begin(run, recorder)));
	}

	/** Begins where blocking does no harm; at once when nobody watches. */
	static Mono<RunObserver.Observation> of(List<? extends RunListener> listeners, String run, RunRecorder recorder) {
		List<RunObserver> watches = listeners.stream()
			.filter(RunObserver.class::isInstance)
			.map(RunObserver.class::cast)
			.toList();
		return watches.isEmpty() ? Mono.just(RunObserver.Observation.NONE)
				: Mono.<RunObserver.Observation>fromSupplier(() -> new Observations(watches, run, recorder))
					.subscribeOn(Schedulers.boundedElastic());
	}

	/** Completes when the sight has had its last word in the record. */
	static Mono<Void> ended(RunObserver.Observation sight) {
		return (sight == RunObserver.Observation.NONE) ? Mono.empty()
				: Mono.<Void>fromRunnable(sight::ended).subscribeOn(Schedulers.boundedElastic());
	}

	@Override
	public void attempt() {
		tell(this.sights, RunObserver.Observation::attempt);
	}

	@Override
	public void alone(Outcome outcome) {
		tell(this.sights, (sight) -> sight.alone(outcome));
	}

	@Override
	public void together() {
		tell(this.sights, RunObserver.Observation::together);
	}

	@Override
	public void ended() {
		tell(this.sights, RunObserver.Observation::ended);
	}

	@Override
	public void close() {
		tell(this.sights, RunObserver.Observation::close);
	}

	private static <T> void tell(List<T> all, Consumer<T> call) {
		for (T each : all) {
			try {
				call.accept(each);
			}
			catch (RuntimeException ex) {
				logger.error("{} failed; the warm-up run goes on", each.getClass().getName(), ex);
			}
		}
	}

}
