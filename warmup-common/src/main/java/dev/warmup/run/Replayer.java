package dev.warmup.run;

import dev.warmup.catalog.Scenario;
import reactor.core.publisher.Flux;

/** Sends the requests of a scenario. */
public interface Replayer {

	/**
	 * Replays a scenario once: its requests in order, each whatever became of the one
	 * before, then its {@code finally} requests. Requests whose placeholders are not
	 * known are not sent. Once the session is over only {@code finally} requests are, and
	 * nothing at all of a repetition that would begin then.
	 * @param scenario what to send
	 * @param session which run sends it, and through which gateway
	 * @return the outcomes in the order of sending; never fails
	 */
	Flux<Outcome> replay(Scenario scenario, Session session);

}
