package dev.warmup.bench.scenario;

import java.util.List;
import java.util.Set;

import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/** A situation users meet, measured in steps: one per round and variant. */
public interface Scenario {

	/** All scenarios in the order of the report. */
	static List<Scenario> all() {
		return List.of(new First(), new Burst(), new Join(), new Deploy(), new Together(), new Idle(), new Overhead());
	}

	/** The name in results and on the command line. */
	String id();

	/** The variants that make sense here. */
	Set<Variant> variants();

	/**
	 * Whether each round measures it, because a goal depends on it. Others are measured
	 * in the first round only.
	 */
	default boolean repeated() {
		return true;
	}

	/**
	 * Measures one variant once, with fresh processes. Blocks.
	 * @throws IllegalStateException when the stack does not start or get ready
	 */
	void measure(Site site, Variant variant, Recorder recorder);

}
