package dev.warmup.bench.schedule;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Prints what is being done, and how long it will still take. */
public final class Progress {

	private final Clock clock;

	private final PrintStream out;

	private final Instant begin;

	private final TimeLeft timeLeft = new TimeLeft();

	/**
	 * Begins to count the elapsed time.
	 * @param clock tells the time
	 * @param out where to print
	 */
	public Progress(Clock clock, PrintStream out) {
		this.clock = clock;
		this.out = out;
		this.begin = clock.instant();
	}

	/**
	 * Prints a line.
	 * @param line the line
	 */
	public void say(String line) {
		this.out.println(line);
	}

	/**
	 * Prints why something failed, and where.
	 * @param what failed
	 * @param problem what was thrown
	 */
	public void failed(String what, Exception problem) {
		say(what + " failed:");
		problem.printStackTrace(this.out);
	}

	/**
	 * Prints which step begins.
	 * @param turns all turns
	 * @param index the turn's place among them, from 0 on
	 * @return when it began
	 */
	Instant begin(List<Turn> turns, int index) {
		Turn turn = turns.get(index);
		Instant now = this.clock.instant();
		say("step %d of %d: %s, %s, round %d of %d; elapsed %s, about %s left".formatted(index + 1, turns.size(),
				turn.scenario(), turn.step().variant(), turn.round(), turn.rounds(),
				clockFace(Duration.between(this.begin, now)),
				clockFace(this.timeLeft.of(turns.subList(index, turns.size())))));
		return now;
	}

	/**
	 * Whether a turn is over in time.
	 * @param turn the turn
	 * @param limit for all turns, from the beginning on
	 * @return {@code false} when it would probably last longer
	 */
	boolean fits(Turn turn, Duration limit) {
		Duration elapsed = Duration.between(this.begin, this.clock.instant());
		return elapsed.plus(this.timeLeft.of(List.of(turn))).compareTo(limit) <= 0;
	}

	/**
	 * Learns how long a step takes that was not broken off.
	 * @param turn the turn that was done
	 * @param since when it began
	 */
	void done(Turn turn, Instant since) {
		this.timeLeft.learn(turn.step(), Duration.between(since, this.clock.instant()));
	}

	private static String clockFace(Duration duration) {
		String face = "%d:%02d".formatted(duration.toMinutesPart(), duration.toSecondsPart());
		return (duration.toHours() == 0) ? face
				: "%d:%02d:%02d".formatted(duration.toHours(), duration.toMinutesPart(), duration.toSecondsPart());
	}

}
