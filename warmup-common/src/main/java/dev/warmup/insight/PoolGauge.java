package dev.warmup.insight;

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
	 * How many connections are open, in use or not.
	 * @return their number, 0 for a pool that has not begun
	 */
	int open();

	/**
	 * How many connections there can be at the most.
	 * @return the pool's size
	 */
	int max();

	/**
	 * Which of the pool's properties says how many connections it keeps open at least.
	 * @return the property's name, such as {@code minimumIdle}
	 */
	String minimum();

}
