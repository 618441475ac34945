package dev.warmup.bench.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs scenarios one after the other, and the steps of each by turns: all of round 1,
 * then all of round 2, so that what the machine does meanwhile hits all variants alike.
 */
public final class Runner {

	private final Progress progress;

	private final BooleanSupplier stopped;

	private final Duration limit;

	private final Supplier<Duration> work;

	/**
	 * Prepares to run.
	 * @param progress told of each step
	 * @param stopped whether no further step shall begin
	 * @param limit how long it may take with what is done only in time; what is not takes
	 * as long as it takes
	 * @param work does work that is always the same, and tells the CPU time it took
	 */
	public Runner(Progress progress, BooleanSupplier stopped, Duration limit, Supplier<Duration> work) {
		this.progress = progress;
		this.stopped = stopped;
		this.limit = limit;
		this.work = work;
	}

	/**
	 * Runs all steps, last those that are done only in time. One that fails becomes a
	 * note, and the others go on; what it recorded before counts. A note tells before
	 * which steps the machine was slower. Blocks.
	 * @param scenarios what to run, in this order
	 * @return what they brought, up to the moment when no further step was to begin
	 */
	public Findings run(List<? extends Scenario> scenarios) {
		Notebook notebook = new Notebook();
		List<Turn> turns = new ArrayList<>();
		int failures = 0;
		for (Scenario scenario : scenarios) {
			try {
				turns.addAll(Turn.of(scenario));
			}
			catch (RuntimeException ex) {
				failures++;
				this.progress.failed(scenario.id(), ex);
				notebook.note(scenario.id(), "", "Not measured: " + Cause.of(ex));
			}
		}
		turns.sort(Comparator.comparing(Turn::inTime));
		MachineSpeed speed = new MachineSpeed();
		for (int i = 0; i < turns.size() && !this.stopped.getAsBoolean(); i++) {
			if (!succeeds(turns, i, notebook, speed)) {
				failures++;
			}
		}
		speed.difference().ifPresent((text) -> notebook.note("", "", text));
		return notebook.findings(failures);
	}

	private boolean succeeds(List<Turn> turns, int index, Notebook notebook, MachineSpeed speed) {
		Turn turn = turns.get(index);
		if (turn.inTime() && !this.progress.fits(turn, this.limit)) {
			notebook.note(turn.scenario(), turn.step().variant(),
					"There was no time for round %d.".formatted(turn.round()));
			return true;
		}
		var begin = this.progress.begin(turns, index);
		speed.read(turn, this.work.get());
		var pen = notebook.pen(turn);
		try {
			turn.step().action().run(pen);
			this.progress.done(turn, begin);
			if (!pen.isUsed()) {
				pen.note("A step brought no figure.");
				return false;
			}
			return true;
		}
		catch (Exception ex) {
			// the next step shall not suffer for this one
			boolean unused = Thread.interrupted();
			if (!this.stopped.getAsBoolean()) {
				this.progress.failed("this step", ex);
				pen.note("A step failed: " + Cause.of(ex));
			}
			return false;
		}
	}

}
