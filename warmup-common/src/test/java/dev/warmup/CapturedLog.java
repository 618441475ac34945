package dev.warmup;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What one logger says until this is closed; as a field, until the test ends. */
public final class CapturedLog implements AutoCloseable, AfterEachCallback {

	private final Logger logger;

	private final Level levelBefore;

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	private CapturedLog(Logger logger) {
		this.logger = logger;
		this.levelBefore = logger.getLevel();
		this.logger.setLevel(Level.INFO);
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	/** What the logger of this name says from now on, from INFO up. */
	public static CapturedLog of(String name) {
		return new CapturedLog((Logger) LoggerFactory.getLogger(name));
	}

	public static CapturedLog of(Class<?> type) {
		return of(type.getName());
	}

	/** Each event as {@code LEVEL message}. */
	public List<String> lines() {
		return List.copyOf(this.appender.list)
			.stream()
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
	}

	/** Forgets what was said before. */
	public void clear() {
		this.appender.list.clear();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		close();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(this.levelBefore);
	}

}
