package dev.warmup;

import io.micrometer.context.ThreadLocalAccessor;

/**
 * Lets Micrometer Context Propagation move the {@link WarmupContext} between threads and
 * the Reactor context. Listed in {@code META-INF/services}.
 */
public final class WarmupContextAccessor implements ThreadLocalAccessor<WarmupContext> {

	@Override
	public Object key() {
		return WarmupContext.class;
	}

	@Override
	@SuppressWarnings("NullAway") // the interface's null stands for an absent value
	public WarmupContext getValue() {
		return WarmupContext.current().orElse(null);
	}

	@Override
	public void setValue(WarmupContext value) {
		WarmupContext.restore(value);
	}

	@Override
	public void setValue() {
		WarmupContext.restore(null);
	}

}
