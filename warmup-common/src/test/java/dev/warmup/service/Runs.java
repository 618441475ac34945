package dev.warmup.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupHeader;
import reactor.core.publisher.Mono;

/** Runs and states for tests. */
final class Runs {

	static final Instance SELF = new Instance("chat", "host:1");

	private Runs() {
	}

	static OwnState state(Gate gate, boolean accepting) {
		return new OwnState(() -> SELF, gate, () -> Mono.just(accepting), new MutableClock());
	}

	static RunRecord run(Optional<Verdict> verdict) {
		return new RunRecord("r-1", Trigger.STARTUP, verdict, List.of("gw-1"), Instant.EPOCH, Duration.ZERO, 1, 0,
				Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty(), Duration.ZERO, 0,
				Duration.ZERO, Optional.empty(), Optional.empty(), Optional.empty(), List.of(new RunRecord.Request("s",
						"r", 1, 0, Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty())));
	}

	/** Begins a run, and gives the header of its requests through gateway gw-1. */
	static String begin(OwnState state) {
		OwnState.Tokens tokens = state.beginRun(() -> run(Optional.empty()));
		return new WarmupHeader(state.instance().instanceId(), tokens.use("gw-1")).format();
	}

}
