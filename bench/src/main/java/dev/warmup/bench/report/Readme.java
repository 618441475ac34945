package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Keeps the repository's READMEs in step with the results that are committed. */
public final class Readme {

	static final String BEGIN = "<!-- bench: begin -->";

	static final String END = "<!-- bench: end -->";

	private Readme() {
	}

	/**
	 * Puts the results into the READMEs, or looks whether they are there.
	 * @param args the repository, and {@code --check} to change nothing; the exit code is
	 * 1 when they are not in step, or when something is missing
	 * @throws IOException when a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		Path root = Path.of(args[0]);
		boolean check = List.of(args).contains("--check");
		boolean done = true;
		for (Told told : Told.values()) {
			done &= put(told, root, check);
		}
		if (!done) {
			System.exit(1);
		}
	}

	private static boolean put(Told told, Path root, boolean check) throws IOException {
		Path file = root.resolve(told.readme());
		try {
			String there = Files.readString(file);
			String wanted = inStep(there, told, root);
			if (!there.equals(wanted) && check) {
				System.err
					.println("%s is not in step with %s: run bench/readme".formatted(told.readme(), told.results()));
				return false;
			}
			if (!there.equals(wanted)) {
				Files.writeString(file, wanted);
			}
			return true;
		}
		catch (IllegalArgumentException | NoSuchFileException ex) {
			System.err.println("bench/readme: %s: %s".formatted(told.readme(), ex.getMessage()));
			return false;
		}
	}

	/**
	 * Makes a README that tells the results.
	 * @param readme the text that there is
	 * @param told which README it is
	 * @param root the repository
	 * @return the text with the part between the markers as it should be
	 * @throws IOException when there are no results that can be read
	 * @throws IllegalArgumentException when the markers are not there
	 */
	static String inStep(String readme, Told told, Path root) throws IOException {
		return replace(readme, told.block(root));
	}

	/**
	 * Replaces what is between the markers.
	 * @param readme the text
	 * @param block what should be there
	 * @return the new text
	 * @throws IllegalArgumentException unless both markers are there once, in order
	 */
	static String replace(String readme, String block) {
		int begin = readme.indexOf(BEGIN);
		int end = readme.indexOf(END);
		if (begin < 0 || end < begin || begin != readme.lastIndexOf(BEGIN) || end != readme.lastIndexOf(END)) {
			throw new IllegalArgumentException(
					"it needs the lines %s and %s, once each and in that order".formatted(BEGIN, END));
		}
		return readme.substring(0, begin) + BEGIN + "\n" + block + readme.substring(end);
	}

}
