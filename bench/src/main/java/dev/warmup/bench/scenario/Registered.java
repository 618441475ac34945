package dev.warmup.bench.scenario;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The instances of one application, as Eureka's REST interface lists them.
 *
 * @param statuses statuses, such as {@code STARTING}, by instance id
 */
record Registered(Map<String, String> statuses) {

	private static final JsonMapper JSON = new JsonMapper();

	Registered {
		statuses = Map.copyOf(statuses);
	}

	/**
	 * Reads the answer of {@code /eureka/apps/<NAME>}.
	 * @param json the body; a single instance may stand in a list or alone
	 * @return what it lists; nothing when it is no such answer
	 */
	static Registered of(String json) {
		Map<String, String> statuses = new TreeMap<>();
		JsonNode instances = tree(json).path("application").path("instance");
		(instances.isArray() ? instances.valueStream() : Stream.of(instances)).filter(JsonNode::isObject)
			.forEach((instance) -> statuses.put(instance.path("instanceId").asString(""),
					instance.path("status").asString("")));
		return new Registered(statuses);
	}

	private static JsonNode tree(String json) {
		try {
			return JSON.readTree(json);
		}
		catch (JacksonException ex) {
			return JSON.createObjectNode();
		}
	}

	/**
	 * Whether an instance has come that was not there before, and takes users.
	 * @param before what was there
	 * @return {@code true} when one that {@code before} does not know is UP
	 */
	boolean isJoined(Registered before) {
		return this.statuses.entrySet()
			.stream()
			.anyMatch(
					(instance) -> instance.getValue().equals("UP") && !before.statuses.containsKey(instance.getKey()));
	}

}
