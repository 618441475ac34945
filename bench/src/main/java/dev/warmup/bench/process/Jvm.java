package dev.warmup.bench.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A JVM on this machine.
 *
 * @param pid its process id
 */
public record Jvm(long pid) {

	private static final Duration LIMIT = Duration.ofMinutes(1);

	/**
	 * Reads what it has cost since it was started. Takes a few reads of files, and none
	 * of the JVM's own time, so that it may be asked right before something is measured.
	 * @return what can be known; nothing of a process that has ended
	 */
	public Usage usage() {
		return new Usage(ProcessHandle.of(this.pid).flatMap((process) -> process.info().totalCpuDuration()),
				PerfCounters.of(this.pid).flatMap(PerfCounters::compileTime), ResidentMemory.of(this.pid));
	}

	/**
	 * Has it collect its garbage now, wholly. Blocks until that is done.
	 * @param javaHome the JDK whose {@code jcmd} asks for it
	 * @throws IllegalStateException when it does not within a minute
	 */
	public void collectGarbage(Path javaHome) {
		new Command(javaHome, Map.of(), LIMIT)
			.run(List.of(javaHome.resolve("bin/jcmd").toString(), Long.toString(this.pid), "GC.run"));
	}

}
