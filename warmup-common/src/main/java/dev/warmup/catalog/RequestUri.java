package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.web.util.UriUtils;

/** Writes path and query so that no value can change their structure (RFC 3986). */
final class RequestUri {

	/** What a path or query may not hold as it is; an escape is left as written. */
	private static final Pattern ILLEGAL = Pattern.compile("%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+");

	private RequestUri() {
	}

	static String of(Template path, Map<String, List<Template>> query, Scope scope) {
		String target = path.render(scope, RequestUri::literal, RequestUri::value);
		String pairs = query.entrySet()
			.stream()
			.flatMap((entry) -> entry.getValue()
				.stream()
				.map((value) -> value(entry.getKey()) + "=" + value(value.render(scope))))
			.collect(Collectors.joining("&"));
		if (pairs.isEmpty()) {
			return target;
		}
		return target + ((target.indexOf('?') < 0) ? "?" : "&") + pairs;
	}

	private static String literal(String text) {
		return ILLEGAL.matcher(text).replaceAll((match) -> value(match.group()));
	}

	private static String value(String text) {
		return UriUtils.encode(text, StandardCharsets.UTF_8);
	}

}
