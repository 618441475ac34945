package dev.warmup.bench.scenario;

import java.util.List;
import java.util.Locale;

import dev.warmup.bench.stack.Site;
import dev.warmup.bench.stack.Variant;

/**
 * A situation users meet, measured in steps: one per round and variant. Constants are in
 * the order of the report.
 */
public enum Scenario {

	FIRST, RESTART, BURST, JOIN, DEPLOY;

	/** The name in results and on the command line. */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether a variant makes sense here. */
	public boolean measures(Variant variant) {
		boolean ablation = variant == Variant.NO_REPLAY || variant == Variant.NO_SHARE;
		boolean chosen = List.of(Variant.NOTHING, Variant.OURS, Variant.OURS_CACHE).contains(variant);
		return switch (this) {
			case FIRST, BURST -> !ablation;
			case RESTART -> chosen;
			case JOIN -> chosen || variant == Variant.NO_SHARE;
			case DEPLOY -> chosen || ablation;
		};
	}

	/** Measures one variant once, with fresh processes. Blocks. */
	public void measure(Site site, Variant variant, Recorder recorder) {
		switch (this) {
			case FIRST -> First.measure(site, variant, recorder);
			case RESTART -> First.measureRestarts(site, variant, recorder);
			case BURST -> First.measureBurst(site, variant, recorder);
			case JOIN -> Join.measure(site, variant, recorder);
			case DEPLOY -> Join.measureDeploy(site, variant, recorder);
		}
	}

}
