package dev.warmup.bench.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Unit;

/** Collects what the steps bring. Safe to use from several threads. */
final class Notebook {

	private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());

	private final Set<Note> notes = Collections.synchronizedSet(new LinkedHashSet<>());

	/**
	 * A recorder for one turn.
	 * @param turn whose scenario, variant and round the figures get
	 * @return the recorder
	 */
	Pen pen(Turn turn) {
		return new Pen(turn);
	}

	void note(String scenario, String variant, String text) {
		this.notes.add(new Note(scenario, variant, text));
	}

	Findings findings(int failures) {
		synchronized (this.samples) {
			synchronized (this.notes) {
				return new Findings(this.samples, List.copyOf(this.notes), failures);
			}
		}
	}

	/** Stamps what one turn brings. */
	final class Pen implements Recorder {

		private final Turn turn;

		private volatile boolean used;

		private Pen(Turn turn) {
			this.turn = turn;
		}

		@Override
		public void record(String part, String metric, Unit unit, double value) {
			this.used = true;
			Notebook.this.samples.add(new Sample(this.turn.scenario(), part, this.turn.step().variant(), metric, unit,
					this.turn.round(), value));
		}

		@Override
		public void note(String text) {
			this.used = true;
			Notebook.this.note(this.turn.scenario(), this.turn.step().variant(), text);
		}

		/**
		 * Whether the turn brought a figure or a note, be it one that was there before.
		 * @return {@code true} once it did
		 */
		boolean isUsed() {
			return this.used;
		}

	}

}
