package dev.warmup.protocol;

import java.util.List;

/**
 * The paths that are not users': the actuator's and the library's own.
 *
 * @param prefixes the paths, each of which covers itself and everything below it
 */
public record InternalPaths(List<String> prefixes) {

	/** Where the library answers. */
	public static final String WARMUP_PATH = "/.warmup";

	/** Where a startup probe asks whether the gate is open. */
	public static final String READY_PATH = WARMUP_PATH + "/ready";

	/** Where a gateway requests to be warmed; its instance id follows. */
	public static final String ASK_PATH = WARMUP_PATH + "/gateways/";

	public InternalPaths {
		prefixes = List.copyOf(prefixes);
	}

	/**
	 * Whether a path within the application is requested by the system itself and not by
	 * users: it is at or below one of the prefixes or {@value #WARMUP_PATH}.
	 */
	public boolean covers(String path) {
		if (isOfTheLibrary(path)) {
			return true;
		}
		// asked for each request, so without a stream
		for (String prefix : this.prefixes) {
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
