package dev.warmup.insight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which classes are loaded, with the JVM's Flight Recorder. Its events come from
 * a recording that is read once it has stopped, and not from a stream: on Java 17 a
 * stream that is closed drops what it has not handed out.
 */
final class ClassRecording implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ClassRecording.class);

	/**
	 * Once a class, also from an archive (CDS), but for hidden ones such as those of
	 * lambdas. {@code jdk.ClassLoad} has these, but leaves out what is defined without
	 * the JVM's asking, and tells others several times.
	 */
	private static final String EVENT = "jdk.ClassDefine";

	private static final long MAX_SIZE = 64L << 20;

	private final Recording recording = new Recording();

	/**
	 * Starts to record. Blocks.
	 * @throws IllegalStateException if the JVM has no Flight Recorder to start
	 */
	ClassRecording() {
		try {
			this.recording.setName("warm-up classes");
			this.recording.setMaxSize(MAX_SIZE);
			this.recording.enable(EVENT).withoutStackTrace();
			this.recording.start();
		}
		catch (RuntimeException ex) {
			this.recording.close();
			throw ex;
		}
	}

	/**
	 * Stops, and reads. Blocks.
	 * @param atMost how many classes to read
	 * @return the classes
	 * @throws IOException if what was recorded cannot be written or read
	 */
	List<LoadedClass> stop(int atMost) throws IOException {
		Path file = Files.createTempFile("warmup-", ".jfr");
		try {
			this.recording.stop();
			this.recording.dump(file);
			return read(file, atMost);
		}
		finally {
			Files.deleteIfExists(file);
		}
	}

	private static List<LoadedClass> read(Path file, int atMost) throws IOException {
		List<LoadedClass> loaded = new ArrayList<>();
		try (RecordingFile events = new RecordingFile(file)) {
			while (events.hasMoreEvents() && loaded.size() < atMost) {
				RecordedEvent event = events.readEvent();
				if (event.getEventType().getName().equals(EVENT)) {
					RecordedClass type = event.getClass("definedClass");
					if (type != null) {
						loaded.add(new LoadedClass(type.getName(), event.getStartTime()));
					}
				}
			}
		}
		return loaded;
	}

	@Override
	public void close() {
		try {
			this.recording.close();
		}
		catch (RuntimeException ex) {
			logger.debug("The recording of loaded classes was not closed", ex);
		}
	}

}
