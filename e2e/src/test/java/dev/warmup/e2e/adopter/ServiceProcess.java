package dev.warmup.e2e.adopter;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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
	 * Spring's arguments for a service that registers quickly.
	 * @param name its name
	 * @param repetitions after how many of each request it is warm
	 * @param more further arguments
	 * @return the arguments
	 */
	public static String[] arguments(String name, int repetitions, String... more) {
		Stream<String> common = Stream.of("--spring.application.name=" + name,
				"--warmup.startup.min-repetitions=" + repetitions, "--warmup.startup.budget=60s",
				"--warmup.steady.tolerance=1000", "--warmup.steady.window=5",
				"--management.endpoint.warmup.access=unrestricted", "--eureka.client.jersey.enabled=false",
				"--eureka.client.registry-fetch-interval-seconds=3",
				"--eureka.client.initial-instance-info-replication-interval-seconds=0",
				"--eureka.client.instance-info-replication-interval-seconds=2",
				"--eureka.instance.lease-renewal-interval-in-seconds=5",
				"--eureka.instance.lease-expiration-duration-in-seconds=15", "--server.shutdown=graceful");
		Stream<String> own = name.equals(ACCOUNTS)
				? Stream.of("--warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml",
						"--spring.security.user.name=user", "--spring.security.user.password=a-users-password",
						"--spring.datasource.url=jdbc:h2:mem:accounts", "--spring.jpa.open-in-view=false")
				: Stream.of("--warmup.catalog=classpath:dev/warmup/e2e/adopter/vault-requests.yml");
		return Stream.of(common, own, Stream.of(more)).flatMap(Function.identity()).toArray(String[]::new);
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
