package dev.warmup.bench.report;

import java.util.List;
import java.util.Optional;

import dev.warmup.bench.result.Summary;
import org.knowm.xchart.internal.chartpart.Chart;

/** One chart of a run. */
interface Drawing {

	/** All charts, in the order of the page. */
	List<Drawing> ALL = List.of(new FirstChart(), new CostChart(), BurstChart.P99, BurstChart.THROUGHPUT,
			new JoinChart(), new GrowthChart(), new CurveChart());

	/**
	 * What it is about.
	 * @return the scenario whose tables it stands above
	 */
	String scenario();

	/**
	 * Where it is written to.
	 * @return the name of an SVG file
	 */
	String file();

	/**
	 * What it shows.
	 * @return a few words
	 */
	String title();

	/**
	 * Draws it.
	 * @param summary the figures
	 * @return the chart; empty when there is nothing to show
	 */
	Optional<Chart<?, ?>> draw(Summary summary);

}
