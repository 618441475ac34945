package dev.warmup.insight;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.warmup.run.Outcome;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;

/** Watches the pools through one run. */
final class PoolObservation implements RunListener.Observation {

	private final List<PoolGauge> pools;

	private final Sampler sampler;

	private final RunRecorder recorder;

	private final Optional<Integer> threads;

	private final Consumer<String> warning;

	private final Map<PoolGauge, Demand> hungriest = new LinkedHashMap<>();

	/**
	 * Begins to watch.
	 * @param pools what to watch
	 * @param sampler looks at them; started
	 * @param recorder is told what was seen
	 * @param threads how many requests the server works on at once, if that is bound
	 * @param warning is told of each pool that can deadlock
	 */
	PoolObservation(List<PoolGauge> pools, Sampler sampler, RunRecorder recorder, Optional<Integer> threads,
			Consumer<String> warning) {
		this.pools = pools;
		this.sampler = sampler;
		this.recorder = recorder;
		this.threads = threads;
		this.warning = warning;
	}

	@Override
	public void attempt() {
		this.sampler.next();
	}

	@Override
	public void alone(Outcome outcome) {
		ConnectionWindow window = this.sampler.next();
		if (outcome instanceof Outcome.Answered) {
			this.pools.forEach((pool) -> window.peak(pool).ifPresent((held) -> note(pool, outcome, held)));
		}
	}

	private void note(PoolGauge pool, Outcome outcome, int held) {
		this.recorder.connections(outcome.scenario(), outcome.request(), held);
		Demand demand = new Demand(pool.name(), pool.max(), outcome.scenario().name() + "/" + outcome.request().name(),
				held);
		this.hungriest.merge(pool, demand, (most, other) -> (other.held() > most.held()) ? other : most);
	}

	@Override
	public void together() {
		this.sampler.slowDown();
	}

	@Override
	public void ended() {
		this.hungriest.values().forEach((demand) -> demand.danger(this.threads).ifPresent((danger) -> {
			this.recorder.found(danger);
			this.warning.accept(danger);
		}));
		for (PoolGauge pool : this.pools) {
			int waited = this.sampler.pending(pool);
			if (waited > 0) {
				this.recorder.found(waited(pool, waited));
			}
			unopened(pool).ifPresent(this.recorder::found);
		}
	}

	private static String waited(PoolGauge pool, int waited) {
		return "Pool %s: %s waited for one of its %d connections.".formatted(pool.name(),
				(waited == 1) ? "a request" : waited + " requests at once", pool.max());
	}

	/**
	 * Says what a warm service leaves cold: a burst that needs more connections than are
	 * open waits for each to be opened. Nothing of a pool that holds none, which has not
	 * begun or cannot, and then requests have told why.
	 */
	private static Optional<String> unopened(PoolGauge pool) {
		int open = pool.open();
		return (open == 0 || open >= pool.max()) ? Optional.empty() : Optional
			.of("Pool %s has %d of its %d connections open: a burst has to open the others, and waits; %s = %d opens them beforehand."
				.formatted(pool.name(), open, pool.max(), pool.minimum(), pool.max()));
	}

	@Override
	public void close() {
		this.sampler.stop();
	}

}
