package dev.warmup.catalog;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.http.HttpMethod;

/**
 * Method and path of a request.
 *
 * @param method the method as written
 * @param path the path as written
 * @param methodAt where the method stands
 * @param pathAt where the path stands
 */
record RequestLine(String method, String path, Entry methodAt, Entry pathAt) {

	private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS");

	private static final List<String> UNSAFE = List.of("POST", "PUT", "PATCH", "DELETE");

	private static final Pattern ABSOLUTE = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*:)?//.*");

	/** The short form, {@code METHOD /path}. */
	static Optional<RequestLine> parse(Entry at, String text) {
		int space = text.indexOf(' ');
		if (space < 0) {
			at.problem("'%s' is not METHOD /path".formatted(text),
					"write both" + (text.startsWith("/") ? ", such as GET " + text : ""));
			return Optional.empty();
		}
		return Optional.of(new RequestLine(text.substring(0, space), text.substring(space).stripLeading(), at, at));
	}

	/** The method; one that is unknown, or may not be used here, is a problem. */
	Optional<HttpMethod> method(boolean unsafeAllowed) {
		if (SAFE.contains(this.method)) {
			return Optional.of(HttpMethod.valueOf(this.method));
		}
		if (!UNSAFE.contains(this.method)) {
			this.methodAt.problem("unknown method '%s'".formatted(this.method),
					"use one of %s, %s".formatted(String.join(", ", SAFE), String.join(", ", UNSAFE)));
			return Optional.empty();
		}
		if (!unsafeAllowed) {
			this.methodAt.problem("%s may change data, and the scenario is not marked unsafe".formatted(this.method),
					"add 'unsafe: true' to the scenario, or use one of " + String.join(", ", SAFE));
		}
		return Optional.of(HttpMethod.valueOf(this.method));
	}

	/** The path; one that leads elsewhere than below the gateway is a problem. */
	Template path(TemplateReader templates, Names names) {
		if (ABSOLUTE.matcher(this.path).matches()) {
			this.pathAt.problem("'%s' is an absolute URL".formatted(this.path),
					"write the path only; every request goes through the gateway");
		}
		else if (!this.path.startsWith("/")) {
			this.pathAt.problem("the path '%s' does not begin with /".formatted(this.path), "write /" + this.path);
		}
		if (this.path.contains("#")) {
			this.pathAt.problem("the path '%s' has a fragment, which is never sent".formatted(this.path),
					"remove it, or write %23 for #");
		}
		return templates.parse(this.pathAt, this.path, names);
	}

	@Override
	public String toString() {
		return this.method + " " + this.path;
	}

}
