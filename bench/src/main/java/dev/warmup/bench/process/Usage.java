package dev.warmup.bench.process;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BinaryOperator;

import org.springframework.util.unit.DataSize;

/**
 * What processes have cost since their start. A figure that cannot be had is empty, never
 * zero.
 *
 * @param cpu the CPU time of all threads, in user and kernel mode
 * @param compile the time that compilations took by the clock, summed over the compilers'
 * threads: on a busy machine more than the CPU time they had
 * @param memory what is resident now
 */
public record Usage(Optional<Duration> cpu, Optional<Duration> compile, Optional<DataSize> memory) {

	/** What no process costs: the beginning of a sum. */
	public static final Usage NONE = new Usage(Optional.of(Duration.ZERO), Optional.of(Duration.ZERO),
			Optional.of(DataSize.ofBytes(0)));

	/**
	 * What both have cost together.
	 * @param other another process
	 * @return the sums; one of which a part is unknown is unknown
	 */
	public Usage plus(Usage other) {
		return new Usage(sum(this.cpu, other.cpu, Duration::plus), sum(this.compile, other.compile, Duration::plus),
				sum(this.memory, other.memory, (one, two) -> DataSize.ofBytes(one.toBytes() + two.toBytes())));
	}

	private static <T> Optional<T> sum(Optional<T> one, Optional<T> two, BinaryOperator<T> plus) {
		return one.flatMap((first) -> two.map((second) -> plus.apply(first, second)));
	}

}
