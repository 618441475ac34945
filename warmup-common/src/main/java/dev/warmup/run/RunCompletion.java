package dev.warmup.run;

import java.util.List;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How a run ends: it is recorded, the gate opens if it may, and then the gateways are
 * told, so that their reports say what holds from now on. A run that was stopped leaves
 * phase and gate as they are. Thread-safe.
 */
public final class RunCompletion {

	private static final Logger logger = LoggerFactory.getLogger(RunCompletion.class);

	private final InstanceSource instance;

	private final WarmupState state;

	private final Gate gate;

	private final Reporter reporter;

	/**
	 * Creates a conclusion.
	 * @param instance who this application is
	 * @param state is told of each run
	 * @param gate is looked at once the state has told its listeners, of which it is one
	 * @param reporter tells the gateways
	 */
	public RunCompletion(InstanceSource instance, WarmupState state, Gate gate, Reporter reporter) {
		this.instance = instance;
		this.state = state;
		this.gate = gate;
		this.reporter = reporter;
	}

	/** Records what the run through one gateway did. */
	void record(RunRecord run) {
		this.state.ended(run);
	}

	/**
	 * Ends a run.
	 * @param passed what it did through each gateway
	 * @param stopped whether it was ended before its time
	 * @return completes once every gateway is told or given up
	 */
	Mono<Void> of(List<RunResult> passed, boolean stopped) {
		return Flux.defer(() -> {
			if (!stopped) {
				this.gate.onConcluded(this.state.concluded(passed.stream().map(RunResult::run).toList()));
			}
			return Flux.fromIterable(passed);
		}).flatMap(this::report, Integer.MAX_VALUE).then();
	}

	/** Tells its gateway of a run, which is over whatever becomes of the report. */
	Mono<Void> report(RunResult passed) {
		return Mono.justOrEmpty(passed.gateway())
			.flatMap((gateway) -> this.reporter.report(gateway, reportOf(passed.run())))
			.onErrorResume((error) -> {
				logger.warn("Run {} was not reported: {}", passed.run().id(), error.toString());
				return Mono.empty();
			});
	}

	private RunReport reportOf(RunRecord run) {
		Instance self = this.instance.get();
		Phase phase = Phase.after(List.of(run.verdict())).orElse(Phase.COLD);
		return new RunReport(self.service(), self.instanceId(), phase, this.gate.position(), run);
	}

}
