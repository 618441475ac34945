package dev.warmup.bench.scenario;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.bench.process.Jvm;
import dev.warmup.bench.process.Usage;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Effort;
import dev.warmup.bench.variant.Variant;

/**
 * A stack that its variant calls ready for users, at the moment it does. Closing it stops
 * the stack.
 */
final class Ready implements AutoCloseable {

	private final Stack stack;

	private final Variant variant;

	private final Map<String, Stack.Row> rows;

	private final WarmUpCost cost;

	private Ready(Stack stack, Variant variant) {
		this.stack = stack;
		this.variant = variant;
		Outcome up = Launch.run(stack, "up", "--detach");
		Instant ended = Instant.now();
		this.rows = Table.rows(up.output());
		List<Jvm> jvms = Stream.of("chat-service-1", "gateway").map((name) -> new Jvm(row(name).pid())).toList();
		// read once before it counts: what reads is cold as well
		usage(jvms);
		Instant warming = Instant.now();
		Effort effort = variant.warmUp(stack);
		Instant ready = Instant.now();
		Usage usage = usage(jvms);
		Optional<Duration> wall = started()
			.map((started) -> Duration.between(started, ended).plus(Duration.between(warming, ready)));
		this.cost = new WarmUpCost(startTook(), wall, usage, effort, up.exitCode() != Launch.NOT_WARM);
	}

	/**
	 * Starts everything afresh, and warms it.
	 * @param site where
	 * @param scenario names the stack's home, together with the variant
	 * @param variant warms
	 * @return the stack, this very moment ready
	 * @throws IllegalStateException when it does not start
	 */
	static Ready fresh(Site site, String scenario, Variant variant) {
		Stack stack = site.stack(scenario + "-" + variant.id(), variant.settings());
		try {
			return new Ready(stack, variant);
		}
		catch (RuntimeException | Error ex) {
			stack.close();
			throw ex;
		}
	}

	/**
	 * Restarts a service, and warms the stack again.
	 * @param service the service
	 * @return whether {@code ./stack} called it warm, or had nothing to say about that
	 * @throws IllegalStateException when it does not start
	 */
	boolean restart(String service) {
		Outcome restart = Launch.run(this.stack, "restart", service);
		this.variant.warmUp(this.stack);
		return restart.exitCode() != Launch.NOT_WARM;
	}

	private Stack.Row row(String process) {
		Stack.Row row = this.rows.get(process);
		if (row == null) {
			throw new IllegalStateException(process + " is not in the table that ./stack up printed");
		}
		return row;
	}

	private static Usage usage(List<Jvm> jvms) {
		return jvms.stream().map(Jvm::usage).reduce(Usage.NONE, Usage::plus);
	}

	private Optional<Duration> startTook() {
		return Stream.of("chat-service-1", "gateway")
			.flatMap((name) -> Table.startTook(this.stack.log(name)).stream())
			.max(Comparator.naturalOrder());
	}

	private Optional<Instant> started() {
		return Table.started(this.stack.log("chat-service-1"))
			.flatMap((service) -> Table.started(this.stack.log("gateway"))
				.map((gateway) -> service.isAfter(gateway) ? service : gateway));
	}

	/**
	 * What it took to get everything ready.
	 * @return the cost of the first warm-up, not of those after restarts
	 */
	WarmUpCost cost() {
		return this.cost;
	}

	/**
	 * Where users enter.
	 * @return the gateway's address, without a slash at its end
	 */
	URI users() {
		return URI.create(this.stack.gateway(""));
	}

	/**
	 * An address at the service, past the gateway.
	 * @param path the path
	 * @return the URL, good until the service is restarted
	 */
	String service(String path) {
		return "http://127.0.0.1:" + row("chat-service-1").port() + path;
	}

	@Override
	public void close() {
		this.stack.close();
	}

}
