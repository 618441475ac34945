package dev.warmup.bench.variant;

import dev.warmup.bench.stack.Stack;

/** The first users do all the warming. */
final class Nothing implements Unaided {

	@Override
	public String id() {
		return "nothing";
	}

	@Override
	public String title() {
		return "nothing";
	}

	@Override
	public Effort warmUp(Stack stack) {
		return Effort.NONE;
	}

}
