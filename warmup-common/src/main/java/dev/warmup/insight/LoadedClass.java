package dev.warmup.insight;

import java.time.Instant;

/**
 * A class that was loaded.
 *
 * @param name its binary name
 * @param at when it was there
 */
record LoadedClass(String name, Instant at) {

	/**
	 * Where it comes from, as people call it.
	 * @return the first two parts of its package, such as {@code io.r2dbc}, or fewer if
	 * it has no more
	 */
	String origin() {
		int slash = this.name.indexOf('/');
		String plain = (slash < 0) ? this.name : this.name.substring(0, slash);
		int end = plain.lastIndexOf('.');
		if (end < 0) {
			return "(no package)";
		}
		int second = plain.indexOf('.', plain.indexOf('.') + 1);
		return plain.substring(0, (second < 0) ? end : Math.min(second, end));
	}

}
