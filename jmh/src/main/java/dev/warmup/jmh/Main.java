package dev.warmup.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks with one thread and with two, unless JMH's {@code -t} says
 * otherwise, and prints what the library costs.
 */
public final class Main {

	private static final List<Integer> THREADS = List.of(1, 2);

	private Main() {
	}

	/**
	 * Starts JMH.
	 * @param args JMH's own options
	 * @throws CommandLineOptionException for options that JMH does not have
	 * @throws RunnerException where a benchmark fails
	 * @throws IOException where JMH cannot answer a question such as {@code -h}
	 */
	public static void main(String[] args) throws CommandLineOptionException, RunnerException, IOException {
		CommandLineOptions options = new CommandLineOptions(args);
		if (asks(options)) {
			org.openjdk.jmh.Main.main(args);
			return;
		}
		List<RunResult> results = new ArrayList<>();
		for (int threads : options.getThreads().hasValue() ? List.of(options.getThreads().get()) : THREADS) {
			results.addAll(new Runner(new OptionsBuilder().parent(options)
				.addProfiler(GCProfiler.class)
				.shouldFailOnError(true)
				.threads(threads)
				.build()).run());
		}
		System.out.println();
		System.out.println(new Table(results.stream().map(Figures::of).toList()).markdown());
	}

	/** Whether nothing is to be run. */
	private static boolean asks(CommandLineOptions options) {
		return options.shouldHelp() || options.shouldList() || options.shouldListWithParams()
				|| options.shouldListProfilers() || options.shouldListResultFormats();
	}

}
