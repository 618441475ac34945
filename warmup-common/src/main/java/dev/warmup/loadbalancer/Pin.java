package dev.warmup.loadbalancer;

/** Names the one instance that a request may go to. */
public final class Pin {

	/**
	 * Name of the exchange attribute that holds the
	 * {@link org.springframework.cloud.client.ServiceInstance} a request is pinned to.
	 */
	public static final String ATTRIBUTE = Pin.class.getName();

	private Pin() {
	}

}
