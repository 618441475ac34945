package dev.warmup.autoconfigure;

import java.util.Optional;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** How many requests the embedded servlet server works on at once, by its settings. */
final class ServerThreads {

	/** The default of Tomcat and of Jetty. */
	private static final int DEFAULT = 200;

	private static final String TOMCAT = "org.apache.catalina.startup.Tomcat";

	private ServerThreads() {
	}

	/**
	 * Reads the settings.
	 * @param environment the application's
	 * @param loader knows which server there is; Spring Boot prefers Tomcat
	 * @return the number of its threads, or empty where threads are virtual, so that they
	 * set no bound
	 */
	static Optional<Integer> of(Environment environment, ClassLoader loader) {
		if (Threading.VIRTUAL.isActive(environment)) {
			return Optional.empty();
		}
		String server = ClassUtils.isPresent(TOMCAT, loader) ? "tomcat" : "jetty";
		return Optional.of(environment.getProperty("server." + server + ".threads.max", Integer.class, DEFAULT));
	}

}
