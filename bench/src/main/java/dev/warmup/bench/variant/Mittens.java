package dev.warmup.bench.variant;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.stack.Stack;

/**
 * The sidecar that others use: it knows the chat-service only, and leaves behind what it
 * made there.
 */
final class Mittens implements Unaided {

	private final String id;

	private final String title;

	private final Sidecar sidecar;

	private final Schedule schedule;

	private final Map<String, String> headers;

	private final int copies;

	/**
	 * Creates the variant.
	 * @param id its id
	 * @param title its title
	 * @param sidecar who sends
	 * @param schedule when
	 * @param headers what is sent along with each request
	 * @param copies how many users it signs up, each in a list of all requests
	 */
	Mittens(String id, String title, Sidecar sidecar, Schedule schedule, Map<String, String> headers, int copies) {
		this.id = id;
		this.title = title;
		this.sidecar = sidecar;
		this.schedule = schedule;
		this.headers = headers;
		this.copies = copies;
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public String title() {
		return this.title;
	}

	@Override
	public Optional<String> missing() {
		return this.sidecar.missing();
	}

	@Override
	public Effort warmUp(Stack stack) {
		return this.sidecar.warm(URI.create(stack.direct(SERVICE, "")), this.schedule, this.headers,
				StaticRequest.ofChat(this.copies, this.headers.containsKey("Content-Type")));
	}

}
