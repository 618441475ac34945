package dev.warmup.e2e.adopter;

import java.util.Arrays;
import java.util.List;

/**
 * Runs a service of adopters as a process of its own, with the class path of the tests.
 */
public final class ServiceProcess {

	/** The service on Spring MVC, JPA and Spring Security. */
	public static final String ACCOUNTS = "accounts";

	/** The service on WebFlux that asks for a JWT. */
	public static final String VAULT = "vault";

	private ServiceProcess() {
	}

	/**
	 * The JVM's options that run a service, besides which it takes Spring's arguments.
	 * @param name its name
	 * @return the options, up to the name as the first argument
	 */
	public static List<String> options(String name) {
		return List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				ServiceProcess.class.getName(), name);
	}

	/**
	 * Runs the service until the process is ended.
	 * @param arguments the service's name, and Spring's arguments
	 */
	public static void main(String[] arguments) {
		String[] properties = Arrays.stream(arguments)
			.skip(1)
			.map((argument) -> argument.replaceFirst("^--", ""))
			.toArray(String[]::new);
		if (arguments[0].equals(ACCOUNTS)) {
			RunningApplication.servletService(AccountsService.class, properties);
		}
		else {
			RunningApplication.reactiveService(VaultService.class, properties);
		}
	}

}
