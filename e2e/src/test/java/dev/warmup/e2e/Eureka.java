package dev.warmup.e2e;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/** What the registry of a stack says. */
final class Eureka {

	private static final Pattern INSTANCE = Pattern
		.compile("<instanceId>([^<]+)</instanceId>.*?<status>(\\w+)</status>", Pattern.DOTALL);

	private Eureka() {
	}

	/**
	 * The chat-services it knows.
	 * @param stack whose registry to ask
	 * @return statuses, such as {@code STARTING}, by instance; empty also while it is
	 * down
	 */
	static Map<String, String> chatServices(Stack stack) {
		Answer answer = Answer.to("GET", "http://127.0.0.1:" + stack.eurekaPort() + "/eureka/apps/CHAT-SERVICE");
		Map<String, String> statuses = new TreeMap<>();
		Matcher instance = INSTANCE.matcher(answer.body());
		while (instance.find()) {
			statuses.put(instance.group(1), instance.group(2));
		}
		return statuses;
	}

}
