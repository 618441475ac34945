package dev.warmup.task;

import dev.warmup.WarmupTask;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * Loads what a Reactor Netty client needs before its first request: event loops, name
 * resolver and native libraries, which the application's own clients share.
 */
public final class ConnectorTask implements WarmupTask {

	private final HttpClient client;

	/**
	 * Creates the task.
	 * @param client the client that runs send with
	 */
	public ConnectorTask(HttpClient client) {
		this.client = client;
	}

	@Override
	public String name() {
		return "connector";
	}

	@Override
	public Mono<Void> run() {
		return this.client.warmup();
	}

}
