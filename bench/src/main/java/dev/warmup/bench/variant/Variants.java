package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;

/** Lists the variants. One more is one more line here. */
public final class Variants {

	private static final Schedule TUNED = new Schedule(8, Duration.ofMillis(10), Duration.ofSeconds(10));

	/** Shows that all works, not how well; enough, too, where a long load follows. */
	private static final Map<String, String> HASTY = Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "20",
			"WARMUP_STEADY_TOLERANCE", "1000", "WARMUP_STEADY_MAX_SPREAD", "1000", "WARMUP_STEADY_WINDOW", "5",
			"WARMUP_STEADY_MAX_JIT", "1000", "WARMUP_STEADY_MAX_CLASSES", "1000000");

	private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

	private Variants() {
	}

	/**
	 * All variants, those that cannot be had on this machine too; when there is no time,
	 * only what the others are compared with.
	 * @param root the repository, with its jars packaged
	 * @param work a directory for what they generate
	 * @param javaHome the JDK that the stacks run on
	 * @param quick whether to be done soon
	 * @return the variants in the order of the tables
	 */
	public static List<Variant> all(Path root, Path work, Path javaHome, boolean quick) {
		Journey journey = journey(root);
		Sidecar sidecar = Sidecar.chosen(Optional.ofNullable(System.getenv("MITTENS_BIN")), work);
		Variant nothing = new Nothing();
		Variant ours = new Ours(quick ? HASTY : Map.of());
		AotCache refreshed = new AotCache(root, work.resolve("aot-refresh"), javaHome, new RefreshTraining(javaHome));
		AotCache replayed = new AotCache(root, work.resolve("aot-replay"), javaHome,
				new ReplayTraining(root.resolve("stack"), javaHome));
		Variant steady = new Steady(new Ours(HASTY), journey, Duration.ofSeconds(quick ? 5 : 45));
		return quick ? List.of(nothing, ours, steady)
				: List.of(nothing, new OnePass(journey), new FixedPasses(journey, 200),
						new Mittens("mittens", sidecar.title(), sidecar, Schedule.DEFAULT, Map.of(), 1),
						new Mittens("mittens-tuned", sidecar.title() + ", tuned", sidecar, TUNED, JSON, 20),
						new Cached("aot", "AOT cache", nothing, refreshed),
						new Cached("aot-replay", "AOT cache by replay", nothing, replayed), ours,
						new Cached("ours-aot", "ours + AOT cache", ours, refreshed),
						new Cached("ours-replay", "ours + AOT cache by replay", ours, replayed), steady);
	}

	/**
	 * Fixed counts of passes, and the library, which measures how many it takes.
	 * @param root the repository, with its jars packaged
	 * @param quick whether to be done soon: without the counts that take a minute and
	 * more
	 * @return the counts, from the lowest to the highest, then the library
	 */
	public static List<Variant> counts(Path root, boolean quick) {
		Journey journey = journey(root);
		IntStream counts = quick ? IntStream.of(1, 10, 200) : IntStream.of(1, 10, 200, 1000, 5000);
		return Stream
			.concat(counts.mapToObj((count) -> new FixedPasses(journey, count)),
					Stream.of(new Ours(quick ? HASTY : Map.of())))
			.toList();
	}

	private static Journey journey(Path root) {
		return Journey.through(root.resolve("chat-service/src/main/resources/warmup-requests.yml"), "chat-service");
	}

}
