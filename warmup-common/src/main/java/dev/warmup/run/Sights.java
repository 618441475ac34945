package dev.warmup.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.warmup.record.RunRecorder;
import dev.warmup.replay.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Several sights of one run. One that fails is logged; run and other sights go on. */
final class Sights implements RunWatch.Sight {

	private static final Logger logger = LoggerFactory.getLogger(Sights.class);

	private final List<RunWatch.Sight> sights = new ArrayList<>();

	private Sights(List<RunWatch> watches, String run, RunRecorder recorder) {
		tell(watches, (watch) -> this.sights.add(watch.begin(run, recorder)));
	}

	/** Begins where blocking does no harm; at once when nobody watches. */
	static Mono<RunWatch.Sight> of(List<? extends RunListener> listeners, String run, RunRecorder recorder) {
		List<RunWatch> watches = listeners.stream()
			.filter(RunWatch.class::isInstance)
			.map(RunWatch.class::cast)
			.toList();
		return watches.isEmpty() ? Mono.just(RunWatch.Sight.NONE)
				: Mono.<RunWatch.Sight>fromSupplier(() -> new Sights(watches, run, recorder))
					.subscribeOn(Schedulers.boundedElastic());
	}

	/** Completes when the sight has had its last word in the record. */
	static Mono<Void> ended(RunWatch.Sight sight) {
		return (sight == RunWatch.Sight.NONE) ? Mono.empty()
				: Mono.<Void>fromRunnable(sight::ended).subscribeOn(Schedulers.boundedElastic());
	}

	@Override
	public void attempt() {
		tell(this.sights, RunWatch.Sight::attempt);
	}

	@Override
	public void alone(Outcome outcome) {
		tell(this.sights, (sight) -> sight.alone(outcome));
	}

	@Override
	public void together() {
		tell(this.sights, RunWatch.Sight::together);
	}

	@Override
	public void ended() {
		tell(this.sights, RunWatch.Sight::ended);
	}

	@Override
	public void close() {
		tell(this.sights, RunWatch.Sight::close);
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
