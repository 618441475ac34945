package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.warmup.bench.stack.App;

/**
 * What the JVM of an application says about itself, after a full collection.
 *
 * @param pid the process
 * @param heap the bytes of all live objects
 * @param library how many objects live of each class of the library
 * @param threadNames the names of all threads, with # for numbers
 */
record Jvm(long pid, double heap, Map<String, Integer> library, List<String> threadNames) {

	private static final Pattern CLASS = Pattern.compile("^ *\\d+: +(\\d+) +\\d+ +(dev\\.warmup\\.\\S+)",
			Pattern.MULTILINE);

	private static final Pattern TOTAL = Pattern.compile("^Total +\\d+ +(\\d+)", Pattern.MULTILINE);

	private static final Pattern THREAD = Pattern.compile("^\"([^\"]+)\"", Pattern.MULTILINE);

	/** A request of the warm-up that a gateway has admitted holds one. */
	private static final String PERMIT = existing("dev.warmup.gateway.Admission$Permit");

	/**
	 * What is in the caches of tokens signed and read, and of published keys. Each has a
	 * limit, tokens are dropped when they are old, and keys when 20 newer ones came.
	 */
	private static final List<String> CREDENTIALS = List.of(existing("dev.warmup.protocol.SignedClaim"),
			existing("dev.warmup.protocol.WarmupKey"));

	/** A class of another name would never be counted. */
	private static String existing(String name) {
		try {
			return Class.forName(name).getName();
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Jvm of(App app) {
		String histogram = jcmd(app, "GC.class_histogram");
		return new Jvm(app.pid(),
				TOTAL.matcher(histogram)
					.results()
					.mapToDouble((found) -> Double.parseDouble(found.group(1)))
					.findFirst()
					.orElseThrow(() -> new IllegalStateException("no histogram: " + histogram)),
				CLASS.matcher(histogram)
					.results()
					.collect(Collectors.toMap((found) -> found.group(2), (found) -> Integer.parseInt(found.group(1)),
							Integer::sum)),
				THREAD.matcher(jcmd(app, "Thread.print"))
					.results()
					.map((found) -> found.group(1).replaceAll("\\d+", "#"))
					.toList());
	}

	private static String jcmd(App app, String command) {
		try {
			Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
			Process process = new ProcessBuilder(jcmd.toString(), Long.toString(app.pid()), command)
				.redirectErrorStream(true)
				.start();
			return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int permits() {
		return this.library.getOrDefault(PERMIT, 0);
	}

	int credentials() {
		return count(Jvm::isCredential, 0);
	}

	/**
	 * Without the credentials, and without the first of each class: what is created once,
	 * when it is first used, does not grow.
	 */
	int objects() {
		return count((name) -> !isCredential(name), 1);
	}

	/** Also a class that is nested in one. */
	private static boolean isCredential(String name) {
		return CREDENTIALS.stream().anyMatch((each) -> name.equals(each) || name.startsWith(each + "$"));
	}

	private int count(Predicate<String> classes, int less) {
		return this.library.entrySet()
			.stream()
			.filter((entry) -> classes.test(entry.getKey()))
			.mapToInt((entry) -> entry.getValue() - less)
			.sum();
	}

	int threads() {
		return this.threadNames.size();
	}

}
