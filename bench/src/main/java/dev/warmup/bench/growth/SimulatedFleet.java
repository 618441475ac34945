package dev.warmup.bench.growth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import dev.warmup.record.GatePosition;
import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;
import dev.warmup.report.RunReport;
import dev.warmup.traffic.OwnTraffic;
import dev.warmup.traffic.WarmupClaim;
import dev.warmup.traffic.WarmupToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Instances of a service of their own that are registered, and behave at the gateway as
 * warmed ones do: each knocks, has a request of its own sent back to it, and reports a
 * run, which is the one that the chat-service has reported, and as long. One stub answers
 * for all of them. Not thread-safe.
 */
public final class SimulatedFleet implements AutoCloseable {

	/**
	 * Has the gateway tell how many instances its copy of the registry shows, which it
	 * verifies without asking the registry, and so without a limit.
	 */
	public static final String GATEWAY_SETTING = "MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAILS";

	private static final String SERVICE = "fleet";

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final JsonMapper JSON = JsonMapper.shared();

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final Stack stack;

	private final RunRecord run;

	private final HttpServer stub;

	private int size;

	private SimulatedFleet(Stack stack, RunRecord run, HttpServer stub) {
		this.stack = stack;
		this.run = run;
		this.stub = stub;
		stub.createContext("/", SimulatedFleet::answer);
		stub.start();
	}

	/**
	 * Starts with no instance.
	 * @param stack a stack whose chat-service has been warmed through its gateway, with
	 * {@link #GATEWAY_SETTING} set to {@code always}
	 * @return the fleet
	 */
	public static SimulatedFleet beside(Stack stack) {
		RunRecord run = JSON.treeToValue(
				JSON.readTree(stack.get("/actuator/warmup").body()).requiredAt("/fleet/0/lastRun"), RunRecord.class);
		try {
			return new SimulatedFleet(stack, run,
					HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Refuses to warm a gateway that asks: a run costs what is not to be measured. */
	private static void answer(HttpExchange exchange) throws IOException {
		boolean own = exchange.getRequestURI().getPath().startsWith(OwnTraffic.WARMUP_PATH);
		exchange.sendResponseHeaders(own ? 404 : 200, -1);
		exchange.close();
	}

	/**
	 * Adds instances. Blocks until the gateway knows them all.
	 * @param newSize how many there shall be, not fewer than there are
	 * @throws IllegalStateException when one is not believed, or the gateway does not see
	 * them in the registry within half a minute
	 */
	public void grow(int newSize) {
		List<SimulatedInstance> newcomers = IntStream.range(this.size, newSize)
			.mapToObj((number) -> new SimulatedInstance(SERVICE, "%s-%d".formatted(SERVICE, number),
					this.stub.getAddress().getPort(), WarmupToken.random()))
			.toList();
		this.size = newSize;
		newcomers.forEach(this::register);
		awaitRegistry();
		newcomers.forEach(this::makeKnown);
	}

	private void register(SimulatedInstance instance) {
		String registry = "http://127.0.0.1:%d/eureka/apps/%s".formatted(this.stack.eurekaPort(), instance.service());
		Answer answer = Answer.toPost(registry, instance.registration());
		if (answer.status() != 204) {
			throw new IllegalStateException("the registry does not take " + instance.id() + ": " + answer);
		}
	}

	private void awaitRegistry() {
		long end = System.nanoTime() + LIMIT.toNanos();
		while (this.size > 0 && !this.stack.get("/actuator/health")
			.<List<Integer>>read("$..applications.FLEET")
			.contains(this.size)) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException("the gateway does not see %d instances".formatted(this.size));
			}
			pause(Duration.ofMillis(200));
		}
	}

	private static void pause(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void makeKnown(SimulatedInstance instance) {
		String runId = "run-of-" + instance.id();
		ObjectNode report = JSON
			.valueToTree(new RunReport(instance.service(), instance.id(), Phase.WARM, GatePosition.OPEN, this.run));
		((ObjectNode) report.required("run")).put("id", runId);
		send("GET", OwnTraffic.WARMUP_PATH + "/instances/" + instance.id(), "", instance.claim(runId));
		send("GET", "/" + instance.service() + "/warmed", "", instance.claim(runId));
		send("PUT", RunReport.PATH + runId, report.toString(), instance.claim(runId));
	}

	private void send(String method, String path, String body, String claim) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.stack.gateway(path)))
			.timeout(LIMIT)
			.header(WarmupClaim.HEADER, claim)
			.header("Content-Type", "application/json")
			.method(method, HttpRequest.BodyPublishers.ofString(body))
			.build();
		try {
			int status = this.http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
			if (status != 200 && status != 204) {
				throw new IllegalStateException("the gateway answers %d to %s %s".formatted(status, method, path));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** Answers no more; the registry is the stack's, and ends with it. */
	@Override
	public void close() {
		this.stub.stop(0);
	}

}
