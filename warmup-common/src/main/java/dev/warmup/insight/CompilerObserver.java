package dev.warmup.insight;

import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;

/** Says how many methods a run left to the compiler, if they are more than a handful. */
public final class CompilerObserver implements RunListener {

	/** Compiled within milliseconds; even an idle service has some now and then. */
	static final int HANDFUL = 10;

	private final Supplier<Optional<CompilerQueue>> queue;

	/**
	 * Creates a watch.
	 * @param queue asks the JVM, such as {@link CompilerQueue#now()}; empty where it does
	 * not tell
	 */
	public CompilerObserver(Supplier<Optional<CompilerQueue>> queue) {
		this.queue = queue;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		return new Observation() {

			@Override
			public void ended() {
				CompilerObserver.this.queue.get()
					.filter((queue) -> queue.waiting() > HANDFUL)
					.ifPresent((queue) -> recorder.found("%d methods still wait for the compiler: %d for C1, %d for C2."
						.formatted(queue.waiting(), queue.c1(), queue.c2())));
			}

		};
	}

}
