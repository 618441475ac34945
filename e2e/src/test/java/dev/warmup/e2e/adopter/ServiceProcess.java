package dev.warmup.e2e.adopter;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;

/** Runs an application of adopters as a process, with the class path of the tests. */
public final class ServiceProcess {

	public static final String ORDERS = "orders";

	public static final String INVENTORY = "inventory";

	private static final String GATEWAY = "breaker-gateway";

	private static final String AGGREGATOR = "aggregating-gateway";

	private static final String CATALOG = "--warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml";

	private static final String[] QUICK = { "--eureka.client.registry-fetch-interval-seconds=3",
			"--eureka.client.initial-instance-info-replication-interval-seconds=0",
			"--eureka.client.instance-info-replication-interval-seconds=2",
			"--eureka.instance.lease-renewal-interval-in-seconds=5",
			"--eureka.instance.lease-expiration-duration-in-seconds=15" };

	private ServiceProcess() {
	}

	/** Adds an instance of {@link #INVENTORY} that registers quickly. Does not wait. */
	public static App inventory(Stack stack, int number, String... arguments) {
		return inventoryWithoutCatalog(stack, number, concat(new String[] { CATALOG }, arguments));
	}

	/** The same, but it finds no catalog. */
	public static App inventoryWithoutCatalog(Stack stack, int number, String... arguments) {
		return add(stack, INVENTORY, INVENTORY + "-" + number, System.getProperty("java.class.path"),
				concat(QUICK, arguments));
	}

	/** The same, but the library is not even on its class path. */
	public static App inventoryWithoutLibrary(Stack stack, int number) {
		String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("warmup-common"))
			.collect(Collectors.joining(File.pathSeparator));
		return add(stack, INVENTORY, INVENTORY + "-" + number, classPath, QUICK);
	}

	/** Adds a service with Eureka's default intervals. */
	public static App atDefaultIntervals(Stack stack, String name, String... arguments) {
		return add(stack, name, name, System.getProperty("java.class.path"),
				concat(new String[] { CATALOG }, arguments));
	}

	/** Adds a gateway with these, whose routes all have a circuit breaker and retries. */
	public static App breakerGateway(Stack stack, String... arguments) {
		String server = "--spring.cloud.gateway.server.webflux.";
		List<String> own = new ArrayList<>(
				List.of(server + "default-filters[0].name=CircuitBreaker", server + "default-filters[1].name=Retry"));
		for (String service : List.of(ORDERS, INVENTORY)) {
			String route = "%sroutes[%d].".formatted(server, ORDERS.equals(service) ? 0 : 1);
			own.addAll(List.of(route + "id=" + service, route + "uri=lb://" + service,
					route + "predicates[0]=Path=/%s/**".formatted(service), route + "filters[0]=StripPrefix=1"));
		}
		return add(stack, GATEWAY, GATEWAY, System.getProperty("java.class.path"),
				concat(own.toArray(String[]::new), arguments));
	}

	/**
	 * Adds a gateway that answers {@code /overview} itself, with what the inventory has.
	 */
	public static App aggregatingGateway(Stack stack, int number, String... arguments) {
		String route = "--spring.cloud.gateway.server.webflux.routes[0].";
		return add(stack, AGGREGATOR, AGGREGATOR + "-" + number, System.getProperty("java.class.path"),
				concat(QUICK,
						concat(new String[] { route + "id=" + INVENTORY, route + "uri=lb://" + INVENTORY,
								route + "predicates[0]=Path=/inventory/**", route + "filters[0]=StripPrefix=1" },
								arguments)));
	}

	private static App add(Stack stack, String kind, String log, String classPath, String... arguments) {
		return stack.addOther(log,
				List.of("-XX:TieredStopAtLevel=1", "-cp", classPath, ServiceProcess.class.getName(), kind),
				concat(new String[] { "--spring.application.name=" + kind, "--eureka.client.jersey.enabled=false",
						"--management.endpoint.warmup.access=unrestricted" }, arguments));
	}

	private static String[] concat(String[] some, String[] more) {
		return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
	}

	/** Runs the kind of application that the first argument names. */
	public static void main(String[] arguments) {
		String[] properties = Arrays.stream(arguments)
			.skip(1)
			.map((argument) -> argument.replaceFirst("^--", ""))
			.toArray(String[]::new);
		switch (arguments[0]) {
			case ORDERS -> RunningApplication.plainServletService(OrdersService.class, properties);
			case INVENTORY -> RunningApplication.plainServletService(InventoryService.class, properties);
			case AGGREGATOR -> RunningApplication.gateway(Applications.Aggregator.class, properties);
			default -> RunningApplication.gateway(Applications.Gateway.class, properties);
		}
	}

}
