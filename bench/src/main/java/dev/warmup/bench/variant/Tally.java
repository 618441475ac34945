package dev.warmup.bench.variant;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import dev.warmup.bench.load.Visit;

/** Counts requests as they are answered, the unexpected answers too. Thread-safe. */
final class Tally implements Consumer<Visit> {

	private final LongAdder requests = new LongAdder();

	private final LongAdder unexpected = new LongAdder();

	@Override
	public void accept(Visit visit) {
		count(visit.problem().isEmpty());
	}

	/**
	 * Counts one request.
	 * @param asExpected whether it was answered as it should
	 */
	void count(boolean asExpected) {
		this.requests.increment();
		if (!asExpected) {
			this.unexpected.increment();
		}
	}

	Effort effort() {
		return new Effort(this.requests.sum(), this.unexpected.sum());
	}

}
