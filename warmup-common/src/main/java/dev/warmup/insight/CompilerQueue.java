package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.Optional;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * How many methods wait to be compiled, as HotSpot tells without any flag: by its
 * diagnostic command {@code Compiler.queue}. To ask stops all threads for a moment (a
 * safepoint), so it is not to be asked in a loop.
 *
 * @param c1 how many wait for the fast compiler
 * @param c2 how many wait for the optimizing compiler
 */
public record CompilerQueue(int c1, int c2) {

	private static final String C1 = "C1 compile queue:";

	private static final String C2 = "C2 compile queue:";

	private static final String EMPTY = "Empty";

	/**
	 * Asks this JVM. May block.
	 * @return the queue as of now, or empty where the JVM does not tell
	 */
	public static Optional<CompilerQueue> now() {
		try {
			MBeanServer server = ManagementFactory.getPlatformMBeanServer();
			ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
			return (server.invoke(commands, "compilerQueue", new Object[0], new String[0]) instanceof String answer)
					? parse(answer) : Optional.empty();
		}
		catch (JMException | RuntimeException ex) { // not HotSpot, or commands are off
			return Optional.empty();
		}
	}

	/**
	 * How many methods wait.
	 * @return the sum over both compilers
	 */
	public int waiting() {
		return this.c1 + this.c2;
	}

	/**
	 * Reads the command's answer: under each compiler's headline a method a line, or
	 * {@value #EMPTY}, up to a blank line or the next headline.
	 */
	static Optional<CompilerQueue> parse(String answer) {
		int[] waiting = new int[3];
		int at = 0;
		boolean told = false;
		for (String line : answer.lines().map(String::strip).toList()) {
			if (line.equals(C1) || line.equals(C2)) {
				at = line.equals(C1) ? 1 : 2;
				told = true;
			}
			else if (line.isEmpty() || line.endsWith(":")) {
				at = 0;
			}
			else if (!line.equals(EMPTY)) {
				waiting[at]++;
			}
		}
		return told ? Optional.of(new CompilerQueue(waiting[1], waiting[2])) : Optional.empty();
	}

}
