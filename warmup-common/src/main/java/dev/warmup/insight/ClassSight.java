package dev.warmup.insight;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.run.Outcome;
import dev.warmup.run.RunObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

/** Records classes until the first round of a run is over, and then writes them down. */
final class ClassSight implements RunObserver.Observation {

	/** So that a file stays below some megabytes. */
	private static final int MAX_CLASSES = 50_000;

	private static final Logger logger = LoggerFactory.getLogger(ClassSight.class);

	private final ClassRecording recording;

	private final ClassFile file;

	private final Map<String, Instant> ends = new LinkedHashMap<>();

	private final AtomicBoolean over = new AtomicBoolean();

	private Instant begin = Instant.now();

	private String latest = "";

	ClassSight(ClassRecording recording, ClassFile file) {
		this.recording = recording;
		this.file = file;
	}

	@Override
	public void attempt() {
		this.begin = Instant.now();
	}

	@Override
	public void alone(Outcome outcome) {
		String scenario = outcome.scenario().name();
		if (scenario.equals(this.latest) || !this.ends.containsKey(scenario)) {
			this.ends.put(scenario, Instant.now());
			this.latest = scenario;
		}
	}

	@Override
	public void together() {
		finish();
	}

	@Override
	public void close() {
		finish();
	}

	private void finish() {
		if (!this.over.compareAndSet(false, true)) {
			return;
		}
		Instant since = this.begin;
		Map<String, Instant> known = new LinkedHashMap<>(this.ends);
		try {
			Schedulers.boundedElastic().schedule(() -> write(since, known));
		}
		catch (RejectedExecutionException ex) { // the application is going down
			this.recording.close();
		}
	}

	private void write(Instant since, Map<String, Instant> known) {
		try (this.recording) {
			Map<String, List<LoadedClass>> byScenario = FirstLoads.of(this.recording.stop(MAX_CLASSES), since, known);
			byScenario.forEach((scenario, loaded) -> logger.info("{} classes loaded by the first {}: {}{}",
					this.file.name(), scenario, loaded.size(), FirstLoads.origins(loaded)));
			if (!byScenario.isEmpty()) {
				Path written = this.file.write(byScenario);
				logger.info("{} classes are listed in {}", this.file.name(), written.toAbsolutePath());
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("{} classes were not written: {}", this.file.name(), ex.toString());
		}
	}

}
