package dev.warmup.bench.scenario;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * A situation users meet, measured in steps: one per round and variant. Constants are in
 * the order of the report.
 */
@SuppressWarnings("ImmutableEnumChecker") // an unmodifiable set, and lambdas without
											// state
public enum Scenario {

	/** The first requests after a start. */
	FIRST(EnumSet.complementOf(EnumSet.of(Variant.OURS_AT_ONCE)), First::measure),

	/** Many users at once; one pass differs little from nothing. */
	BURST(EnumSet.complementOf(EnumSet.of(Variant.ONE_PASS, Variant.OURS_AT_ONCE)), Burst::measure),

	/** A second instance joins. */
	JOIN(EnumSet.of(Variant.NOTHING, Variant.OURS, Variant.OURS_CACHE, Variant.OURS_AT_ONCE), Join::measure),

	/** Three instances are replaced. */
	DEPLOY(EnumSet.of(Variant.NOTHING, Variant.OURS, Variant.OURS_CACHE), Deploy::measure),

	/** Three instances start together. */
	TOGETHER(EnumSet.of(Variant.OURS, Variant.OURS_CACHE), Together::measure),

	/** Users come after an idle time. */
	IDLE(EnumSet.of(Variant.OURS), Idle::measure),

	/** What the library costs a request. */
	OVERHEAD(EnumSet.of(Variant.NOTHING, Variant.OURS), Overhead::measure);

	private final Set<Variant> variants;

	private final Measurement measurement;

	Scenario(EnumSet<Variant> variants, Measurement measurement) {
		this.variants = Set.copyOf(variants);
		this.measurement = measurement;
	}

	/** The name in results and on the command line. */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether a variant makes sense here, and is measured in this round, from 1. */
	public boolean measures(Variant variant, int round) {
		boolean once = this == IDLE || this == OVERHEAD; // no goal depends on them
		return this.variants.contains(variant) && (round == 1 || !once);
	}

	/**
	 * Measures one variant once, with fresh processes. Blocks.
	 * @throws IllegalStateException when the stack does not start or get ready
	 */
	public void measure(Site site, Variant variant, Recorder recorder) {
		this.measurement.measure(site, variant, recorder);
	}

	private interface Measurement {

		void measure(Site site, Variant variant, Recorder recorder);

	}

}
