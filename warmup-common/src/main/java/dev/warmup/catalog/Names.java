package dev.warmup.catalog;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which variables and captures a placeholder may name at one place of the file.
 *
 * @param usable names that have a value there
 * @param refused names that exist, but have none there
 * @param whyNot the problem with a refused name, as a format of it
 * @param mend how to mend that
 */
record Names(Set<String> usable, Set<String> refused, String whyNot, String mend) {

	/** Placeholders of the catalog's own. */
	static final Set<String> BUILT_IN = Set.of("uuid", "now", "randomInt", "env");

	private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	Names {
		usable = Set.copyOf(usable);
		refused = Set.copyOf(refused);
	}

	/** Within the values of variables. */
	static Names withinVariables(Set<String> variables) {
		return new Names(Set.of(), variables, "a variable cannot use another, here '%s'",
				"write the value out; variables may use uuid, now, randomInt(a,b) and env.NAME");
	}

	/** Within a request. */
	static Names withinRequest(Set<String> variables, Set<String> captured, Set<String> allCaptures) {
		Set<String> usable = new LinkedHashSet<>(variables);
		usable.addAll(captured);
		return new Names(usable, allCaptures, "the capture '%s' is used before it is set",
				"move this request behind the one that captures it");
	}

	/** Notes a problem if a placeholder may not name this. */
	void check(Entry at, String name) {
		if (this.usable.contains(name)) {
			return;
		}
		if (this.refused.contains(name)) {
			at.problem(this.whyNot.formatted(name), this.mend);
			return;
		}
		Set<String> known = new LinkedHashSet<>(this.usable);
		known.addAll(BUILT_IN);
		at.problem("unknown placeholder {{%s}}".formatted(name),
				Suggestion.nearest(name, known)
					.map("did you mean '%s'?"::formatted)
					.orElse("name a variable, a capture of an earlier request, uuid, now, randomInt(a,b) or env.NAME"));
	}

	/** Notes a problem if a variable or capture cannot have this name. */
	static void checkNew(Entry at, String name) {
		if (BUILT_IN.contains(name)) {
			at.problem("'%s' is a built-in placeholder".formatted(name), "choose another name");
		}
		else if (!WELL_FORMED.matcher(name).matches()) {
			at.problem("'%s' cannot be a placeholder's name".formatted(name),
					"use letters, digits and _, beginning with a letter");
		}
	}

}
