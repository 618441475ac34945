package dev.warmup.bench.schedule;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Ctrl-C or SIGTERM while the benchmark runs: the step that runs is interrupted, and this
 * JVM ends only when the step and the commands it started have ended, or after a minute
 * each. Stacks are stopped by themselves at the end of the JVM.
 */
public final class Interruption implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Thread worker;

	private final Consumer<String> out;

	private final CountDownLatch left = new CountDownLatch(1);

	private final Thread atExit = new Thread(this::happen, "interruption");

	private volatile boolean requested;

	private Interruption(Thread worker, Consumer<String> out) {
		this.worker = worker;
		this.out = out;
	}

	/**
	 * Watches for it until closed.
	 * @param out told that it happens
	 * @return the watch over the calling thread
	 */
	public static Interruption ofThisThread(Consumer<String> out) {
		Interruption interruption = new Interruption(Thread.currentThread(), out);
		Runtime.getRuntime().addShutdownHook(interruption.atExit);
		return interruption;
	}

	/**
	 * Whether it has happened.
	 * @return {@code true} from its beginning on
	 */
	public boolean isRequested() {
		return this.requested;
	}

	/** Interrupts the watched thread, and waits for it and for its commands. */
	void happen() {
		this.requested = true;
		this.out.accept("stopping; no results are written");
		this.worker.interrupt();
		try {
			if (!this.left.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				this.out.accept("the step that runs does not end");
			}
			for (ProcessHandle command : ProcessHandle.current().children().toList()) {
				end(command);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void end(ProcessHandle command) throws InterruptedException {
		try {
			command.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			command.destroy();
		}
	}

	/** Watches no more: the thread has done its work. */
	@Override
	public void close() {
		this.left.countDown();
		if (!this.requested) {
			try {
				Runtime.getRuntime().removeShutdownHook(this.atExit);
			}
			catch (IllegalStateException ex) {
				this.out.accept("stopped at the end");
			}
		}
	}

}
