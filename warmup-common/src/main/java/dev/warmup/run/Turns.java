package dev.warmup.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.Gateway;
import dev.warmup.protocol.WarmupHeader;
import org.jspecify.annotations.Nullable;

/**
 * The gateways that a run goes through by turns, three at most: the nearest, as located.
 * One that does not answer is left out for a while. Used by one thread at a time.
 */
final class Turns {

	/** Others ask for a run when they start, and when they have been idle. */
	private static final int MAX_GATEWAYS = 3;

	/** Until one that did not answer is tried again, where the run has no other. */
	private static final Duration PAUSE = Duration.ofMillis(500);

	/** The same where another one answers, from which it takes the time. */
	private static final Duration PAUSE_BESIDE_ANOTHER = Duration.ofSeconds(5);

	private final List<Turn> turns = new CopyOnWriteArrayList<>();

	/** Adds gateways, and forgets those that do not answer where there are others. */
	void located(List<Gateway> gateways) {
		this.turns.removeIf((turn) -> !turn.problem.isEmpty()
				&& (gateways.size() > MAX_GATEWAYS || !gateways.contains(turn.gateway)));
		gateways.stream()
			.filter((gateway) -> this.turns.stream().noneMatch((turn) -> turn.gateway.id().equals(gateway.id())))
			.limit(Math.max(0, MAX_GATEWAYS - this.turns.size()))
			.forEach((gateway) -> this.turns.add(new Turn(gateway)));
	}

	/** The gateway whose turn it is, by a number that rises with each turn. */
	Optional<Turn> due(long number, Instant now) {
		List<Turn> due = this.turns.stream().filter((turn) -> !turn.isLeftOut(now)).toList();
		return due.isEmpty() ? Optional.empty() : Optional.of(due.get(Math.floorMod(number, due.size())));
	}

	/** Leaves a gateway out, for good where waiting does not help. */
	void leaveOut(Turn turn, String reason, boolean lasting, Instant now) {
		turn.problem = reason;
		boolean another = this.turns.stream().anyMatch((each) -> each.reached && each.problem.isEmpty());
		turn.due = lasting ? Instant.MAX : now.plus(another ? PAUSE_BESIDE_ANOTHER : PAUSE);
	}

	/** Whether there are gateways, and none of them has the library. */
	boolean isHopeless() {
		return !this.turns.isEmpty() && this.turns.stream().allMatch((turn) -> turn.due.equals(Instant.MAX));
	}

	/** Why gateways are left out, a sentence each. */
	List<String> problems() {
		return this.turns.stream().map((turn) -> turn.problem).filter((problem) -> !problem.isEmpty()).toList();
	}

	/** One gateway. */
	static final class Turn {

		private final Gateway gateway;

		private volatile String id;

		private volatile @Nullable WarmupHeader mark;

		private boolean reached;

		/** Why it is left out, until it shows a route again. */
		private String problem = "";

		private Instant due = Instant.MIN;

		Turn(Gateway gateway) {
			this.gateway = gateway;
			this.id = gateway.id();
		}

		/** Its instance id, once it has looked; until then as located. */
		String id() {
			return this.id;
		}

		Gateway gateway() {
			return this.gateway;
		}

		/** What marks this run's requests there; empty until the gateway has looked. */
		Optional<WarmupHeader> mark() {
			return Optional.ofNullable(this.mark);
		}

		/** The gateway has looked, and knows the run's token. */
		void introduced(String instanceId, WarmupHeader header) {
			this.id = instanceId;
			this.mark = header;
		}

		/** Whether the gateway still knows the run's token is not certain. */
		void forget() {
			this.mark = null;
		}

		/** Whether requests reach a service by this gateway, by this result or before. */
		boolean isReached(Outcome outcome) {
			if (outcome.showsRoute()) {
				this.reached = true;
				this.problem = "";
			}
			return this.reached;
		}

		boolean isLeftOut(Instant now) {
			return this.due.isAfter(now);
		}

	}

}
