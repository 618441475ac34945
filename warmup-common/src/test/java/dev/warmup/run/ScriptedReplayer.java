package dev.warmup.run;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import dev.warmup.catalog.Scenario;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/** Answers as a test says, and notes what was asked for. Sends nothing. */
final class ScriptedReplayer extends Replayer {

	/** What happens to a scenario; by default all is answered as expected. */
	BiFunction<Scenario, Session, Flux<Outcome>> script = (scenario, session) -> RunFixture.answered(scenario);

	/** The names of the scenarios, in the order of their start. */
	final List<String> replayed = new ArrayList<>();

	final List<Session> sessions = new ArrayList<>();

	int most;

	private int active;

	ScriptedReplayer() {
		super(HttpClient.create());
	}

	@Override
	public Flux<Outcome> replay(Scenario scenario, Session session) {
		return Flux.defer(() -> {
			this.replayed.add(scenario.name());
			this.sessions.add(session);
			this.active++;
			this.most = Math.max(this.most, this.active);
			return this.script.apply(scenario, session).doOnTerminate(() -> this.active--);
		});
	}

	List<URI> gateways() {
		return this.sessions.stream().map(Session::gateway).distinct().toList();
	}

}
