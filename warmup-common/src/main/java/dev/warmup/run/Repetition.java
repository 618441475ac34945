package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.Capture;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;

import org.springframework.http.HttpStatus;

/** One repetition of a scenario; its requests come one after another. */
final class Repetition {

	private final Scenario scenario;

	private final Session session;

	private volatile Scope scope;

	Repetition(Scenario scenario, Session session) {
		this.scenario = scenario;
		this.session = session;
		this.scope = Scope.of(session.catalog());
	}

	Session session() {
		return this.session;
	}

	/** What is known by now. */
	Scope scope() {
		return this.scope;
	}

	Outcome notSent(RequestTemplate request) {
		return new Outcome.NotSent(this.scenario, request);
	}

	/** Judges what came back, and remembers what it brought. */
	Outcome judge(RequestTemplate request, Reply reply) {
		if (reply instanceof Reply.Answer answer) {
			return answer.body()
				.map((body) -> judge(request, answer, body))
				.orElseGet(() -> unexpected(request, answer,
						"answer larger than " + PreparedRequest.MAX_ANSWER.toMegabytes() + " MiB"));
		}
		return (reply instanceof Reply.Silence silence) ? new Outcome.Failed(this.scenario, request, silence.problem())
				: new Outcome.Cut(this.scenario, request);
	}

	private Outcome judge(RequestTemplate request, Reply.Answer answer, String body) {
		if (!answer.proves(this.session)) {
			return unexpected(request, answer, unproved(request, answer));
		}
		Optional<String> mismatch = request.expect().mismatch(answer.status(), answer.latency(), body);
		if (mismatch.isPresent()) {
			return unexpected(request, answer, mismatch.get());
		}
		Capture capture = request.capture(body);
		if (capture instanceof Capture.Missing missing) {
			return unexpected(request, answer, missing.problem());
		}
		if (capture instanceof Capture.Found found) {
			this.scope = this.scope.with(found.values());
		}
		return new Outcome.Answered(this.scenario, request, answer.latency(), answer.gateway());
	}

	/** The body of an answer that is not the instance's tells nothing. */
	private String unproved(RequestTemplate request, Reply.Answer answer) {
		if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
			return "421 of another instance, %d times in a row".formatted(Resending.MISDIRECTED_AT_MOST + 1);
		}
		return request.expect().status().matches(answer.status())
				? "%d without proof that %s answered".formatted(answer.status(), this.session.claim().instanceId())
				: request.expect().mismatch(answer.status(), Duration.ZERO, "").orElseThrow();
	}

	private Outcome unexpected(RequestTemplate request, Reply.Answer answer, String problem) {
		return new Outcome.Unexpected(this.scenario, request, answer.latency(), answer.status(), problem,
				answer.proves(this.session));
	}

}
