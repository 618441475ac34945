package dev.warmup.bench.variant;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.bench.load.Crowd;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.Stack;

/**
 * A way to get a fresh stack ready for users. Constants are in the order of the tables.
 */
public enum Variant {

	/** Nothing is done. */
	NOTHING("nothing", "nothing"),

	/** The service calls each endpoint of its own once; the gateway's health is read. */
	ONE_PASS("one-pass", "one pass each") {
		@Override
		void warm(Site site, Stack stack) {
			new Journey().walk(stack.service().url(""), (sample) -> {
			});
			stack.gateway().get("/actuator/health");
		}
	},

	/** A script sends each request 200 times through the gateway. */
	PASSES("200-passes", "200 passes") {
		@Override
		void warm(Site site, Stack stack) {
			Journey journey = new Journey();
			for (int pass = 0; pass < (site.quick() ? 20 : 200); pass++) {
				journey.walk(stack.gateway().url("/chat-service"), (sample) -> {
				});
			}
		}
	},

	/** A sidecar sends requests to the service for 30 s. */
	MITTENS("mittens", "mittens") {
		@Override
		void warm(Site site, Stack stack) {
			Mittens.warm(site, stack.service());
		}

		@Override
		public Optional<String> unavailable(Site site) {
			return Mittens.unavailable();
		}
	},

	/** The JVMs start from a cache that was trained on a context refresh. */
	AOT_CACHE("aot-cache", "AOT cache") {
		@Override
		Optional<AotCache> cache() {
			return Optional.of(AotCache.REFRESH);
		}
	},

	/** This library with its defaults. */
	OURS("ours", "ours") {
		@Override
		boolean hasLibrary() {
			return true;
		}
	},

	/** This library, with JVMs that start from a cache it has trained by its replay. */
	OURS_CACHE("ours-cache", "ours + AOT cache by replay") {
		@Override
		boolean hasLibrary() {
			return true;
		}

		@Override
		Optional<AotCache> cache() {
			return Optional.of(AotCache.REPLAY);
		}
	},

	/** The limit for all others: the stack after a long load. */
	STEADY("steady", "steady state") {
		@Override
		void warm(Site site, Stack stack) {
			Crowd.at(new Journey(), stack.gateway().url("/chat-service"), 8,
					Duration.ofSeconds(site.quick() ? 10 : 90));
		}
	};

	private final String id;

	private final String title;

	Variant(String id, String title) {
		this.id = id;
		this.title = title;
	}

	/** The name in results and on the command line. */
	public String id() {
		return this.id;
	}

	/** The name in tables and charts. */
	public String title() {
		return this.title;
	}

	/**
	 * Finds a variant.
	 * @throws IllegalArgumentException when there is none; the message names all
	 */
	public static Variant of(String id) {
		return List.of(values())
			.stream()
			.filter((variant) -> variant.id.equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("unknown variant %s; there are %s".formatted(id,
					List.of(values()).stream().map(Variant::id).toList())));
	}

	/** Tells whether the variant can run here. */
	public Optional<String> unavailable(Site site) {
		return cache().flatMap((cache) -> AotCache.unavailable(site));
	}

	/**
	 * Starts a fresh stack and makes it ready for users. Trains an AOT cache at first
	 * where the variant uses one. Blocks.
	 * @param scenario names the directory of the logs, together with the variant
	 * @param arguments more arguments for gateways and services
	 * @throws IllegalStateException when it does not get ready
	 */
	public Stack start(Site site, String scenario, String... arguments) {
		cache().ifPresent((cache) -> cache.train(site));
		Stack.Builder builder = site.stack(scenario + "-" + this.id);
		cache().ifPresent((cache) -> cache.use(site, builder));
		for (String service : List.of(Stack.GATEWAY, Stack.SERVICE)) {
			builder.args(service, "--warmup.enabled=" + hasLibrary()).args(service, arguments);
			if (site.quick()) {
				builder.args(service, "--warmup.startup.min-repetitions=5", "--warmup.startup.max-repetitions=20");
			}
		}
		Stack stack = builder.start();
		try {
			prepare(site, stack);
			return stack;
		}
		catch (RuntimeException | Error ex) {
			stack.close();
			throw ex;
		}
	}

	/**
	 * Makes a stack ready for users of which some processes were started again. Blocks.
	 * @throws IllegalStateException when it does not get ready
	 */
	public void prepare(Site site, Stack stack) {
		if (hasLibrary()) {
			stack.awaitReady(Stack.START);
		}
		else {
			stack.awaitUp();
		}
		warm(site, stack);
	}

	void warm(Site site, Stack stack) {
		// nothing but the library, if anything
	}

	boolean hasLibrary() {
		return false;
	}

	Optional<AotCache> cache() {
		return Optional.empty();
	}

}
