package dev.warmup.service;

import java.util.List;

/**
 * The paths that are not users': the actuator's and the library's own.
 *
 * @param prefixes the paths within the application, each of which covers itself and
 * everything below it
 */
public record InternalPaths(List<String> prefixes) {

	/** Where the library answers. */
	public static final String WARMUP_PATH = "/.warmup";

	/** Where a startup probe reads whether the gate is open. */
	public static final String READY_PATH = WARMUP_PATH + "/ready";

	/** Where a gateway takes news of an instance, whose id follows. */
	public static final String NEWS_PATH = WARMUP_PATH + "/instances/";

	public InternalPaths {
		prefixes = List.copyOf(prefixes);
	}

	/** Whether a path within the application is at or below one of these. */
	public boolean covers(String path) {
		if (isOfTheLibrary(path)) {
			return true;
		}
		for (String prefix : this.prefixes) { // called for every request: no stream
			if (below(prefix, path)) {
				return true;
			}
		}
		return false;
	}

	/** Whether a path within the application is at or below {@value #WARMUP_PATH}. */
	public static boolean isOfTheLibrary(String path) {
		return below(WARMUP_PATH, path);
	}

	private static boolean below(String prefix, String path) {
		return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
	}

}
