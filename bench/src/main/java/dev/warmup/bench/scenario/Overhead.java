package dev.warmup.bench.scenario;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What a user's request costs with the library turned on and off, by JMH: time and
 * allocation of a whole gateway and of whole services, short of the network.
 */
final class Overhead implements Scenario {

	@Override
	public String id() {
		return "overhead";
	}

	@Override
	public Set<Variant> variants() {
		return EnumSet.of(Variant.NOTHING, Variant.OURS);
	}

	@Override
	public boolean repeated() {
		return false;
	}

	@Override
	public void measure(Site site, Variant variant, Recorder recorder) {
		OptionsBuilder options = new OptionsBuilder();
		options.include(UserRequests.class.getName())
			.param("library", Boolean.toString(variant == Variant.OURS))
			.jvm(site.javaHome().resolve("bin/java").toString())
			.jvmArgsAppend("-Xms256m", "-Xmx256m")
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.forks(site.quick() ? 1 : 3)
			.warmupIterations(site.quick() ? 1 : 5)
			.warmupTime(TimeValue.seconds(1))
			.measurementIterations(site.quick() ? 1 : 5)
			.measurementTime(TimeValue.seconds(1));
		try {
			Collection<RunResult> results = new Runner(options.build()).run();
			for (RunResult result : results) {
				String application = result.getParams().getParam("application");
				recorder.record(application, "time", "ns", result.getPrimaryResult().getScore());
				if (!Double.isNaN(result.getPrimaryResult().getScoreError())) { // of two
																				// values
																				// at
																				// least
					recorder.record(application, "time error", "ns", result.getPrimaryResult().getScoreError());
				}
				recorder.record(application, "allocation", "B",
						Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
			}
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
