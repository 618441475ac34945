package dev.warmup.pool;

/**
 * What a pool of connections says of itself. Thread-safe; asked often, so it is cheap.
 */
public interface PoolGauge {

	/**
	 * What to call the pool.
	 * @return its name in the log and in the report
	 */
	String name();

	/**
	 * How many connections are in use.
	 * @return their number, 0 for a pool that has not begun
	 */
	int active();

	/**
	 * How many wait for a connection.
	 * @return their number, 0 for a pool that has not begun
	 */
	int pending();

	/**
	 * How many connections there can be at the most.
	 * @return the pool's size
	 */
	int max();

}
