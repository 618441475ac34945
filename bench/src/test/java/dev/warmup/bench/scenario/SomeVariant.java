package dev.warmup.bench.scenario;

import java.util.Map;

import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Effort;
import dev.warmup.bench.variant.Variant;

record SomeVariant(String id) implements Variant {

	@Override
	public String title() {
		return this.id;
	}

	@Override
	public Map<String, String> settings() {
		return Map.of();
	}

	@Override
	public Effort warmUp(Stack stack) {
		return Effort.NONE;
	}

}
