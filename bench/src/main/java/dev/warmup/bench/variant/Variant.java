package dev.warmup.bench.variant;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.Stack;
import org.jspecify.annotations.Nullable;

/**
 * A way to get a fresh stack ready for users. Constants are in the order of the tables.
 */
public enum Variant {

	/** Nothing is done. */
	NOTHING("nothing", "nothing", false, null, Variant::nothing),

	/** The service calls each endpoint of its own once. */
	ONE_PASS("one-pass", "one pass each", false, null, (site, stack) -> {
		new Journey().walk(stack.service().url(""));
		stack.gateway().get("/actuator/health");
	}),

	/** A script sends each request 200 times through the gateway. */
	PASSES("200-passes", "200 passes", false, null, (site, stack) -> {
		Journey journey = new Journey();
		for (int pass = 0; pass < (site.quick() ? 20 : 200); pass++) {
			journey.walk(stack.gateway().url("/chat-service"));
		}
	}),

	/** A sidecar sends requests to the service for 30 s. */
	MITTENS("mittens", "mittens", false, null, (site, stack) -> Mittens.warm(site, stack.service())),

	/** The JVMs start from a cache that was trained on a context refresh. */
	AOT_CACHE("aot-cache", "AOT cache", false, AotCache.REFRESH, Variant::nothing),

	/** This library with its defaults. */
	OURS("ours", "this library", true, null, Variant::nothing),

	/** This library, with JVMs that start from a cache it has trained by its replay. */
	OURS_CACHE("ours-cache", "this library + AOT cache by replay", true, AotCache.REPLAY, Variant::nothing),

	/**
	 * This library, which makes instances full members when they have been warmed for 10
	 * s.
	 */
	OURS_AT_ONCE("ours-at-once", "this library, fully open after 10 s", true, null, Variant::nothing,
			"--warmup.ramp.window=0", "--warmup.startup.budget=10s"),

	/** The limit for all others: the stack after a long load. */
	STEADY("steady", "steady state", false, null, (site, stack) -> new Journey()
		.closedLoop(stack.gateway().url("/chat-service"), 8, Duration.ofSeconds(site.quick() ? 10 : 90)));

	private final String id;

	private final String title;

	private final boolean library;

	private final @Nullable AotCache cache;

	@SuppressWarnings("ImmutableEnumChecker") // the lambdas above keep no state
	private final BiConsumer<Site, Stack> warming;

	@SuppressWarnings("ImmutableEnumChecker") // never changed
	private final String[] arguments;

	Variant(String id, String title, boolean library, @Nullable AotCache cache, BiConsumer<Site, Stack> warming,
			String... arguments) {
		this.id = id;
		this.title = title;
		this.library = library;
		this.cache = cache;
		this.warming = warming;
		this.arguments = arguments;
	}

	private static void nothing(Site site, Stack stack) {
		// the library does it, if anything
	}

	/** The name in results and on the command line. */
	public String id() {
		return this.id;
	}

	/** The name in tables and charts. */
	public String title() {
		return this.title;
	}

	/** Whether this library warms the stack. */
	public boolean hasLibrary() {
		return this.library;
	}

	/**
	 * Finds a variant.
	 * @throws IllegalArgumentException when there is none; the message names all
	 */
	public static Variant of(String id) {
		return Stream.of(values())
			.filter((variant) -> variant.id.equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"unknown variant %s; there are %s".formatted(id, Stream.of(values()).map(Variant::id).toList())));
	}

	/** Why the variant cannot run here, a sentence; empty when it can. */
	public Optional<String> unavailable(Site site) {
		if (this == MITTENS) {
			return Mittens.unavailable();
		}
		return (this.cache != null) ? AotCache.unavailable(site) : Optional.empty();
	}

	/** Starts a fresh stack with one gateway and one service, as described below. */
	public Stack start(Site site, String scenario) {
		return start(site, scenario, (builder) -> {
		});
	}

	/**
	 * Starts a fresh stack and makes it ready for users. Trains an AOT cache at first
	 * where the variant uses one. Blocks.
	 * @param scenario names the directory of the logs, together with the variant
	 * @param settings adds settings
	 * @throws IllegalStateException when it does not get ready
	 */
	public Stack start(Site site, String scenario, Consumer<Stack.Builder> settings) {
		Stack.Builder builder = site.stack(scenario + "-" + this.id);
		if (this.cache != null) {
			this.cache.use(site, builder);
		}
		settings.accept(builder);
		builder.clientArgs("--warmup.enabled=" + this.library).clientArgs(this.arguments);
		if (site.quick()) {
			builder.clientArgs("--warmup.startup.min-repetitions=5", "--warmup.startup.max-repetitions=20");
		}
		return builder.start((stack) -> prepare(site, stack));
	}

	/**
	 * Makes a stack ready for users of which some processes were started again. Blocks.
	 * @throws IllegalStateException when it does not get ready
	 */
	public void prepare(Site site, Stack stack) {
		if (this.library) {
			stack.awaitReady(Stack.START);
			stack.gateway().awaitReady(Stack.START); // which may have been started alone
		}
		else {
			stack.awaitUp();
		}
		this.warming.accept(site, stack);
	}

}
