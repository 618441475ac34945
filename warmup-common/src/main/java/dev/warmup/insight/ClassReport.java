package dev.warmup.insight;

import java.nio.file.Path;

import dev.warmup.protocol.InstanceSource;
import dev.warmup.run.RunObserver;
import dev.warmup.run.RunRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down which classes the first repetition of each scenario loaded: a file a run,
 * and a line of the log a scenario. Hidden classes, such as those of lambdas, are left
 * out; what the application does by itself meanwhile counts too. Where the Flight
 * Recorder does not start, it says so, and nothing is written.
 */
public final class ClassReport implements RunObserver {

	private static final Logger logger = LoggerFactory.getLogger(ClassReport.class);

	private final InstanceSource instance;

	private final Path directory;

	/**
	 * Creates a report.
	 * @param instance who this application is
	 * @param directory where files go; made when it is missing
	 */
	public ClassReport(InstanceSource instance, Path directory) {
		this.instance = instance;
		this.directory = directory;
	}

	/**
	 * Where files go.
	 * @return the directory
	 */
	public Path directory() {
		return this.directory;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		try {
			ClassFile file = new ClassFile(this.directory, this.instance.get(), run);
			return new ClassSight(new ClassRecording(), file);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.warn("Classes are not recorded, as the Flight Recorder does not start: {}", ex.toString());
			return Observation.NONE;
		}
	}

}
