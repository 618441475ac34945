package dev.warmup.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * The keys of a mapping, in file order.
 *
 * @param owner the mapping
 * @param keys the place of each key
 * @param values the value of each key
 */
record Fields(Entry owner, Map<String, Entry> keys, Map<String, Entry> values) {

	/**
	 * Reads the keys; one that stands twice is a problem, and its first value is kept.
	 */
	static Fields of(Entry owner, MappingNode mapping) {
		Map<String, Entry> keys = new LinkedHashMap<>();
		Map<String, Entry> values = new LinkedHashMap<>();
		for (NodeTuple tuple : mapping.getValue()) {
			if (tuple.getKeyNode() instanceof ScalarNode scalar) {
				String key = scalar.getValue();
				Entry place = owner.child(key, scalar);
				if (keys.putIfAbsent(key, place) != null) {
					place.problem("the key '%s' stands twice in this mapping".formatted(key), "keep one of them");
				}
				values.putIfAbsent(key, owner.child(key, tuple.getValueNode()));
			}
			else {
				owner.child("?", tuple.getKeyNode()).wrongType("a key", "write a single word as the key");
			}
		}
		return new Fields(owner, Collections.unmodifiableMap(keys), Collections.unmodifiableMap(values));
	}

	Fields closed(Set<String> allowed) {
		this.keys.forEach((key, place) -> {
			if (!allowed.contains(key)) {
				place.problem("unknown key '%s'".formatted(key), Suggestion.amongKeys(key, allowed));
			}
		});
		return this;
	}

	Optional<Entry> find(String key) {
		return Optional.ofNullable(this.values.get(key));
	}

	/** The place of a key that stands here. */
	Entry key(String name) {
		return Objects.requireNonNull(this.keys.get(name));
	}

	/** The value of a key; its absence is a problem. */
	Optional<Entry> require(String key, String mend) {
		Optional<Entry> value = find(key);
		if (value.isEmpty()) {
			this.owner.problem("'%s' is missing".formatted(key), mend);
		}
		return value;
	}

	/** Those of the given keys that stand here, in file order. */
	List<String> present(Set<String> of) {
		List<String> present = new ArrayList<>(this.keys.keySet());
		present.retainAll(of);
		return present;
	}

}
