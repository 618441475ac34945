package dev.warmup.bench.variant;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.stack.Stack;

/** Another variant on JVMs with an AOT cache. */
final class Cached implements Variant {

	private final String id;

	private final String title;

	private final Variant variant;

	private final AotCache cache;

	/**
	 * Creates the variant.
	 * @param id its id
	 * @param title its title
	 * @param variant what is done beside
	 * @param cache what the JVMs start from
	 */
	Cached(String id, String title, Variant variant, AotCache cache) {
		this.id = id;
		this.title = title;
		this.variant = variant;
		this.cache = cache;
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public String title() {
		return this.title;
	}

	@Override
	public Optional<String> missing() {
		return this.cache.missing().or(this.variant::missing);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new HashMap<>(this.variant.settings());
		settings.putAll(this.cache.settings());
		return Map.copyOf(settings);
	}

	@Override
	public void prepare() {
		this.variant.prepare();
		this.cache.prepare();
	}

	@Override
	public Effort warmUp(Stack stack) {
		return this.variant.warmUp(stack);
	}

}
