package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Locale;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;

/** Measured figures: printed, and added to {@code target/e2e/figures.txt}. */
final class Figures {

	private static final Path FILE = Path.of("target", "e2e", "figures.txt");

	private Figures() {
	}

	static void add(String format, Object... arguments) {
		String line = String.format(Locale.ROOT, format, arguments);
		append(FILE, line + System.lineSeparator());
	}

	/** Prints a line, and adds it to a file. */
	static synchronized void append(Path file, String line) {
		System.out.print(line);
		try {
			Files.createDirectories(file.getParent());
			Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void add(String title, Collection<Sample> users) {
		Summary summary = Summary.of(users);
		add("%s: %d users, %d errors, p50 %.1f ms, p99 %.1f ms, slowest %.0f ms", title, summary.count(),
				summary.errors(), summary.p50().toNanos() / 1e6, summary.p99().toNanos() / 1e6,
				summary.slowest().toNanos() / 1e6);
	}

}
