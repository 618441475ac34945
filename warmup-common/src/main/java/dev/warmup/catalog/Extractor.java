package dev.warmup.catalog;

import java.util.Optional;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;

import org.springframework.http.HttpHeaders;

/**
 * Where a capture finds its value in an answer.
 *
 * @param path of whose matches the first counts; if empty, the value is a header's
 * @param header of whose values the first counts
 * @param regex of whose first match the first group is taken
 */
record Extractor(Optional<JsonPath> path, String header, Optional<Pattern> regex) {

	/** Finds the value; {@code null} in the document, if there is any, is none. */
	Optional<Object> find(HttpHeaders headers, Optional<Object> document) {
		Optional<Object> found = this.path.isEmpty() ? Optional.ofNullable(headers.getFirst(this.header))
				: document.flatMap((json) -> Json.find(json, this.path.get()))
					.filter((value) -> !value.isNull())
					.map(Json::value);
		try {
			return this.regex.isEmpty() ? found
					: found.flatMap((value) -> this.regex.get().matcher(Json.text(value)).results().findFirst())
						.map((match) -> match.group(1));
		}
		catch (StackOverflowError ex) { // of the regex
			return Optional.empty();
		}
	}

	@Override
	public String toString() {
		return this.path.map((json) -> "at " + json.getPath()).orElse("in the header " + this.header)
				+ this.regex.map((pattern) -> " by " + pattern).orElse("");
	}

}
