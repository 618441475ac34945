package dev.warmup.bench.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import dev.warmup.bench.load.Journey;

/**
 * A way to get a fresh stack ready for users. Constants are in the order of the tables.
 */
public enum Variant {

	/** Nothing is done. */
	NOTHING(false),

	/** A script sends each request 200 times through the gateway. */
	PASSES_200(false, (stack) -> {
		Journey journey = new Journey();
		for (int pass = 0; pass < 200; pass++) {
			journey.walk(stack.gateway().url("/chat-service"));
		}
	}),

	/** This library's gate, announcement and leaving, with nothing to replay. */
	NO_REPLAY(true),

	/** This library; an instance gets its full share as soon as its gate opens. */
	NO_SHARE(true, "--warmup.ramp.window=0"),

	/** This library with its defaults. */
	OURS(true),

	/** This library with three times its default budget. */
	OURS_30S(true, "--warmup.startup.budget=30s"),

	/** This library, with JVMs that start from a cache it has trained by its replay. */
	OURS_CACHE(true),

	/** The limit for all others: the stack after a long load. */
	STEADY(false, (stack) -> new Journey().closedLoop(stack.gateway().url("/chat-service"), 8, Duration.ofSeconds(90)));

	/** The first one that caches profiles of methods, too. */
	public static final int FIRST_JDK_WITH_CACHE = 25;

	private static final List<String> CACHED = List.of(Stack.GATEWAY, Stack.SERVICE);

	/** A catalog that has requests of another service only. */
	private static final String NOTHING_TO_REPLAY = "bench/nothing-to-replay.yml";

	private final boolean library;

	@SuppressWarnings("ImmutableEnumChecker") // the lambdas above keep no state
	private final Consumer<Stack> warming;

	@SuppressWarnings("ImmutableEnumChecker") // never changed
	private final String[] arguments;

	Variant(boolean library, String... arguments) {
		this(library, (stack) -> {
		}, arguments);
	}

	Variant(boolean library, Consumer<Stack> warming, String... arguments) {
		this.library = library;
		this.warming = warming;
		this.arguments = arguments;
	}

	/** The name in results and on the command line. */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Whether this library is turned on. */
	public boolean hasLibrary() {
		return this.library;
	}

	/** Starts a fresh stack, and makes it ready for users. */
	public Stack start(Site site, String scenario) {
		return start(site, scenario, (builder) -> {
		});
	}

	/** The same, with settings added; it trains an AOT cache where none is left. */
	public Stack start(Site site, String scenario, Consumer<Stack.Builder> settings) {
		Stack.Builder builder = site.stack(scenario + "-" + id());
		if (this == OURS_CACHE) {
			useCache(site, builder);
		}
		settings.accept(builder);
		builder.clientArgs("--warmup.enabled=" + this.library).clientArgs(this.arguments);
		if (this == NO_REPLAY) {
			builder.args(Stack.SERVICE, "--warmup.catalog=" + site.root().resolve(NOTHING_TO_REPLAY).toUri());
		}
		return builder.start((stack) -> prepare(stack));
	}

	/** Makes a stack ready for users of which some processes were started again. */
	public void prepare(Stack stack) {
		stack.awaitReady(this.library);
		this.warming.accept(stack);
	}

	/** A JVM that cannot use its cache (JEP 483, 514) does not start. */
	private static void useCache(Site site, Stack.Builder stack) {
		if (!CACHED.stream().allMatch((service) -> Files.exists(file(site, service)))) {
			train(site);
		}
		CACHED.forEach((service) -> stack.jvm(service, "-XX:AOTMode=on", "-XX:AOTCache=" + file(site, service)));
	}

	/** Replays the catalog in a stack that compiles after a tenth of the calls. */
	private static void train(Site site) {
		Stack.Builder builder = site.stack("training").args(Stack.SERVICE, "--warmup.startup.trigger=train");
		CACHED.forEach((service) -> builder.jvm(service, "-XX:CompileThresholdScaling=0.1",
				"-XX:AOTCacheOutput=" + file(site, service)));
		try (Stack stack = builder.start()) {
			stack.awaitReady(true);
			// a JVM writes its cache when it ends
			stack.service().stop(Duration.ofMinutes(6));
			stack.gateway().stop(Duration.ofMinutes(6));
		}
	}

	private static Path file(Site site, String service) {
		return site.work().resolve(service + ".aot");
	}

}
