package dev.warmup.insight;

/** Feeds a coverage in tests of other packages. */
public final class CoverageFeed {

	private CoverageFeed() {
	}

	/** A run and a user send the same request. */
	public static void cover(Coverage coverage, String path) {
		coverage.warmupSent("GET", path);
		coverage.userSent("GET", path);
	}

}
