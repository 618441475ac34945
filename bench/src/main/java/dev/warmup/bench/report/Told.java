package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.warmup.bench.result.Results;

/** Which README tells which results. */
enum Told {

	/** The full run. */
	LATEST("README.md", "bench/results/latest", "bench/results/latest") {

		@Override
		String tell(Results results, String directory) {
			return ReadmeBlock.of(results, directory);
		}

	},

	/** The counts, told once there are results of them. */
	CURVE("bench/README.md", "bench/results/curve", "results/curve") {

		@Override
		String tell(Results results, String directory) {
			return CurveBlock.of(results, directory);
		}

		@Override
		String block(Path root) throws IOException {
			return Files.exists(json(root)) ? super.block(root) : "";
		}

	};

	private final String readme;

	private final String results;

	private final String link;

	Told(String readme, String results, String link) {
		this.readme = readme;
		this.results = results;
		this.link = link;
	}

	abstract String tell(Results results, String directory);

	/**
	 * Which README it is.
	 * @return the file, seen from the repository
	 */
	String readme() {
		return this.readme;
	}

	/**
	 * Where the results are.
	 * @return the directory, seen from the repository
	 */
	String results() {
		return this.results;
	}

	Path json(Path root) {
		return root.resolve(this.results).resolve(Reports.JSON);
	}

	/**
	 * What belongs between the markers.
	 * @param root the repository
	 * @return Markdown
	 * @throws IOException when there are no results that can be read
	 */
	String block(Path root) throws IOException {
		return tell(Reports.read(json(root)), this.link);
	}

}
