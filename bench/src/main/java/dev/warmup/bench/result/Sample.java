package dev.warmup.bench.result;

/**
 * One figure of one round.
 *
 * @param scenario the scenario, such as {@code first}
 * @param part what the scenario did, such as {@code service restarted}; empty when it
 * does one thing
 * @param variant the id of the variant, such as {@code nothing}
 * @param metric what was measured, such as {@code p99}
 * @param unit its unit
 * @param round the round, from 1 on
 * @param value the figure
 */
public record Sample(String scenario, String part, String variant, String metric, Unit unit, int round, double value) {

}
