package dev.warmup.bench.growth;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.process.Jvm;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/**
 * What a gateway costs while it knows so many instances.
 *
 * @param stack its stack
 * @param gateway its process
 * @param javaHome the JDK that it runs on
 * @param users how many users a figure of processor time is for, one after the other, at
 * {@code GET /chat-service/rooms}
 * @param idle the time without users that follows, in which it goes on reading the
 * registry
 */
public record GatewayCost(Stack stack, Jvm gateway, Path javaHome, int users, Duration idle) {

	private static final double MEBIBYTE = 1 << 20;

	private static final int BATCHES = 8;

	private static final double STILL_FALLING = 0.9;

	/**
	 * Lets users come whom nobody measures, until so many of them cost no less than those
	 * before: a gateway that still compiles would seem to get cheaper as its fleet grows.
	 * Blocks; gives up after eight times as many.
	 */
	public void settle() {
		Duration last = cpuOfUsers();
		for (int batch = 1; batch < BATCHES; batch++) {
			Duration next = cpuOfUsers();
			if (next.toNanos() >= last.toNanos() * STILL_FALLING) {
				return;
			}
			last = next;
		}
	}

	private Duration cpuOfUsers() {
		Duration before = cpu();
		IntStream.range(0, this.users).forEach((number) -> expect("/chat-service/rooms"));
		return cpu().minus(before);
	}

	/**
	 * Measures, users whom nobody measures coming first. Blocks.
	 * @param instances how many instances the gateway knows
	 * @param recorder takes {@code gateway memory}, which is what it holds resident, and
	 * {@code gateway heap}, the objects in use, both after a garbage collection;
	 * {@code gateway cpu}, for the users and the idle time; and {@code status}, the
	 * median of five {@code GET /actuator/warmup}
	 * @throws InterruptedException when interrupted
	 * @throws IllegalStateException when a user is not answered by 200, or the gateway
	 * knows another number of instances
	 */
	public void measure(int instances, Recorder recorder) throws InterruptedException {
		String part = instances + " instances";
		cpuOfUsers();
		this.gateway.collectGarbage(this.javaHome);
		recorder.record(part, "gateway memory", Unit.MEBIBYTES,
				this.gateway.usage().memory().orElseThrow().toBytes() / MEBIBYTE);
		recorder.record(part, "gateway heap", Unit.MEBIBYTES, heap());
		Duration before = cpu();
		cpuOfUsers();
		Thread.sleep(this.idle.toMillis());
		recorder.record(part, "gateway cpu", Unit.SECONDS, cpu().minus(before).toNanos() / 1e9);
		recorder.latency(part, "status", status(instances));
	}

	private Duration cpu() {
		return this.gateway.usage()
			.cpu()
			.orElseThrow(() -> new IllegalStateException("the gateway's processor time is not known"));
	}

	private double heap() {
		double bytes = expect("/actuator/metrics/jvm.memory.used?tag=area:heap").<Number>read("$.measurements[0].value")
			.doubleValue();
		return bytes / MEBIBYTE;
	}

	private Duration status(int instances) {
		List<Duration> sorted = Stream.generate(() -> {
			long start = System.nanoTime();
			Answer answer = expect("/actuator/warmup");
			Duration latency = Duration.ofNanos(System.nanoTime() - start);
			int known = answer.<Integer>read("$.fleet.length()");
			if (known != instances) {
				throw new IllegalStateException("the gateway knows %d instances of %d".formatted(known, instances));
			}
			return latency;
		}).limit(5).sorted().toList();
		return sorted.get(2);
	}

	private Answer expect(String path) {
		Answer answer = this.stack.get(path);
		if (answer.status() != 200) {
			throw new IllegalStateException("%s answers %d: %s".formatted(path, answer.status(), answer.body()));
		}
		return answer;
	}

}
