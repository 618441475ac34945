package dev.warmup.catalog;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.warmup.protocol.Trigger;

/** Reads {@code when}: the triggers that replay a scenario. */
final class WhenReader {

	/** What holds where the file does not say. */
	static final Set<Trigger> ALWAYS = Collections
		.unmodifiableSet(EnumSet.of(Trigger.STARTUP, Trigger.IDLE, Trigger.TRAIN));

	private static final Map<String, Trigger> WORDS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE, "train",
			Trigger.TRAIN);

	private static final String MEND = "list some of startup, idle, train";

	private WhenReader() {
	}

	static Set<Trigger> read(Entry entry) {
		Set<Trigger> when = EnumSet.noneOf(Trigger.class);
		List<Entry> items = entry.items().orElse(List.of());
		if (entry.isList() && items.isEmpty()) {
			entry.problem("the scenario is never replayed", MEND + ", or leave 'when' out");
		}
		items.forEach((item) -> item.text().ifPresent((word) -> add(when, item, word)));
		return when.isEmpty() ? ALWAYS : when;
	}

	private static void add(Set<Trigger> when, Entry item, String word) {
		Trigger trigger = WORDS.get(word);
		if (trigger == null) {
			item.problem("unknown trigger '%s'".formatted(word), MEND);
		}
		else if (!when.add(trigger)) {
			item.problem("the trigger '%s' stands twice".formatted(word), "keep one of them");
		}
	}

}
