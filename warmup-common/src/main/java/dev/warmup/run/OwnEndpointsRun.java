package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

import dev.warmup.Gateway;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.service.OwnEndpoints;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A gateway's runs through itself. One in which requests failed at the start is repeated,
 * since services that they need may come.
 */
record OwnEndpointsRun(RunParts parts, Supplier<URI> address) implements OwnEndpoints {

	private static final int REPEATS = 4;

	private static final Duration PAUSE = Duration.ofSeconds(30);

	@Override
	public Flux<RunRecord> warm(boolean idle) {
		Instance self = this.parts.state().instance();
		Trigger trigger = idle ? Trigger.IDLE : this.parts.settings().startupTrigger();
		if (this.parts.catalogs().current().scenariosNaming(self.service(), trigger).isEmpty()) {
			return Flux.empty();
		}
		return Mono
			.defer(() -> new WarmupRun(this.parts, UUID.randomUUID().toString(), trigger,
					new Gateway(self.instanceId(), this.address.get()))
				.execute())
			.repeatWhen((runs) -> runs.take(idle ? 0 : REPEATS).delayElements(PAUSE, this.parts.scheduler()))
			.takeUntil((run) -> run.verdict().filter(Verdict.WARM::equals).isPresent()
					|| (run.sent() > 0 && run.failed() == 0));
	}

}
