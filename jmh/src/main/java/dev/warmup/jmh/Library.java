package dev.warmup.jmh;

/** Whether an application has the library, and what its users send. */
public enum Library {

	/** None of its auto-configurations. */
	ABSENT,

	/** All of them; users send what the catalog covers. */
	PRESENT,

	/** All of them; users send one kind of request that the catalog lacks. */
	UNCOVERED,

	/**
	 * All of them; users send thousands of kinds that the catalog lacks, by turns, so
	 * that each looks for a counter in vain.
	 */
	MANY_KINDS;

	boolean isPresent() {
		return this != ABSENT;
	}

}
